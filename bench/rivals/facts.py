RETURN_DEVIATION={"connect_four":1.0,"kuhn_poker":1.5,"leduc_poker":4.0}
