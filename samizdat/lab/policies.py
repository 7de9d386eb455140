"""Policies as bots: observations in, logits out, a choice among what is open.

    samizdat arena revolution --bots policy.onnx,novice
    policy = Policy(model, samizdat.game("revolution"))       # any function from observations to logits
    env("revolution", opponents="policy.onnx:sampled")

A policy's model takes a batch of observations (`samizdat.lab.observations`, one row each, float32) and returns as
many rows of logits, one for each move id. What is not open is masked here, so no model can choose it. `greedy` takes
the highest logit that is open; `sampled` draws by the softmax of the open ones, the same with the same seed.

A file says what it was trained for (`Purpose`): game, variant, players, version of the rules, and a fingerprint of
the observations. It plays that and refuses anything else with a sentence, as numbers that mean something else would
look like bad play. ONNX files (`.onnx`) run in ONNX Runtime: pip install 'samizdat[agents]'. Programs of
`torch.export` (`.pt2`) and modules run in PyTorch, which is not installed with any extra.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from samizdat.kernel.arguments import check_seed, clip, printable
from samizdat.kernel.errors import IllegalMove, OptionError
from samizdat.kernel.game import Game
from samizdat.kernel.match import Sight
from samizdat.lab.observations import Tensors, fingerprint, size

GREEDY, SAMPLED = WAYS = ("greedy", "sampled")
KEY = "samizdat"  # under which a file keeps its purpose
NEEDED = {".onnx": "onnxruntime", ".pt2": "torch"}

Floats = npt.NDArray[np.float32]
Model = Callable[[Floats], Any]


@dataclass(frozen=True)
class Purpose:
    """What a policy was trained for; all of it must be so where it plays."""

    game: str
    variant: str
    players: int
    rules_version: int
    observations: str  # the fingerprint of their layout

    @classmethod
    def of(cls, game: Game) -> Self:
        return cls(game.name, game.variant, game.players, game.rules, fingerprint(game))

    @classmethod
    def read(cls, text: str, name: str) -> Self:
        """From a file's words about itself."""
        try:
            found = json.loads(text)
            wanted = cls(**found)
        except (ValueError, TypeError):
            raise OptionError(f"The policy {clip(name)} does not say in our words what it was trained for.") from None
        kinds = {"str": str, "int": int}
        if any(type(getattr(wanted, one.name)) is not kinds[str(one.type)] for one in fields(cls)):
            raise OptionError(f"The policy {clip(name)} does not say in our words what it was trained for.")
        return wanted

    def text(self) -> str:
        return json.dumps(asdict(self))

    def refusal(self, game: Game) -> str:
        """Why it is none for a game; nothing if it is one."""
        own = Purpose.of(game)
        for what, mine, theirs in (
            ("game", self.game, own.game),
            ("variant", self.variant, own.variant),
            ("number of players", self.players, own.players),
            ("version of the rules", self.rules_version, own.rules_version),
        ):
            if mine != theirs:
                return f"its {what} is {printable(str(mine))[:40]}, not {theirs}"
        if self.observations != own.observations:
            return "it was trained with another box or other options, for which observations mean something else"
        return ""


class Policy:
    """A model and how it chooses; a bot for the arena, an opponent in environments, and at a table where a package
    announces a function that makes one."""

    def __init__(
        self, model: Model, purpose: Game | Purpose, how: str = GREEDY, seed: int | None = None, name: str = "policy"
    ) -> None:
        if how not in WAYS:
            raise OptionError(f"A policy is {' or '.join(WAYS)}, not {clip(how)}.")
        self.model = model
        self.purpose = Purpose.of(purpose) if isinstance(purpose, Game) else purpose
        self.how = how
        self.name = name
        self.rng = np.random.default_rng(None if seed is None else check_seed(seed))
        self._game: Game | None = None
        self._tensors: Tensors | None = None

    def seeded(self, seed: int) -> Policy:
        """The same policy with other draws."""
        return Policy(self.model, self.purpose, self.how, seed, self.name)

    def check(self, game: Game) -> None:
        """OptionError if this policy cannot play a game."""
        if self._game is game:
            return
        if why := self.purpose.refusal(game):
            raise OptionError(f"The policy {clip(self.name)} cannot play here: {why}.")
        found = self._asked(np.zeros((1, size(game)), np.float32), game.capacity)
        if found.shape != (1, game.capacity):
            raise OptionError(
                f"The policy {clip(self.name)} gives {found.size} numbers for one observation; {game.name} has "
                f"{game.capacity} moves."
            )
        self._game, self._tensors = game, Tensors(game)

    def _asked(self, observations: Floats, actions: int) -> npt.NDArray[np.float64]:
        try:
            logits = self.model(observations)
            if hasattr(logits, "detach"):  # a tensor, maybe with gradients, maybe on a card
                logits = logits.detach().cpu().numpy()
            return np.asarray(logits, np.float64)
        except Exception as error:
            raise OptionError(
                f"The policy {clip(self.name)} does not take {len(observations)} rows of {observations.shape[1]} "
                f"numbers for {actions} moves: {printable(str(error))[:300]}"
            ) from error

    def actions(self, observations: Floats, masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """One open action for each row; each row must have one."""
        logits = self._asked(observations, masks.shape[1])
        if logits.shape != masks.shape:
            raise OptionError(
                f"The policy {clip(self.name)} gives logits of shape {logits.shape}; masks have {masks.shape}."
            )
        open_ = masks.astype(bool)
        if np.isnan(logits[open_]).any():
            raise IllegalMove(f"The policy {clip(self.name)} gives what is no number.", "bots")
        masked = np.where(open_, logits, -np.inf)
        # A logit of minus infinity says "never", which must not make an open move look like a closed one.
        masked = np.where(open_, np.clip(masked, -1e300, 1e300), -np.inf)
        if self.how == SAMPLED:  # the highest of logits with Gumbel noise is a draw from their softmax
            masked = masked + self.rng.gumbel(size=masked.shape)
        found: npt.NDArray[np.int64] = masked.argmax(1)
        return found

    def choose(self, sight: Sight) -> int:
        """What a bot is asked: a decision for a sight, made from what the seat sees now."""
        self.check(sight.game)
        assert self._tensors is not None
        mask = np.zeros((1, sight.game.capacity), np.int8)
        mask[0, [move.id for move in sight.legal()]] = 1
        return int(self.actions(self._tensors.of(sight)[None], mask)[0])


class Uniform:
    """Any open action, each as likely."""

    def __init__(self, seed: int | None = None) -> None:
        self.rng = np.random.default_rng(seed)

    def actions(self, observations: Floats, masks: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = np.where(masks, self.rng.random(masks.shape), -1.0).argmax(1)
        return found


# --- Files --------------------------------------------------------------------


def read(path: Path, how: str = GREEDY, seed: int | None = None) -> Policy:
    """The policy of a file, by its ending."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise OptionError(f"{path}: there is no policy to be read: {error.strerror}.") from None
    model, said = loaded(content, Path(path).suffix, str(path))
    if not said:
        raise OptionError(
            f"{path} does not say what it was trained for; samizdat.lab.policies.stamp(path, game) writes it in."
        )
    return Policy(model, Purpose.read(said, str(path)), how, seed, str(path))


def loaded(content: bytes, ending: str, name: str) -> tuple[Model, str]:
    """A model from a file's bytes, and what the file says of itself."""
    try:
        return _model(content, ending)
    except ImportError:
        package = NEEDED[ending]
        wanted = "pip install 'samizdat[agents]'" if package == "onnxruntime" else f"pip install {package}"
        raise OptionError(f"{name} needs {package}: {wanted}.") from None
    except OptionError:
        raise
    except Exception as error:
        raise OptionError(f"{name} cannot be read as a policy: {printable(str(error))[:300]}") from None


@functools.lru_cache(16)
def _model(content: bytes, ending: str) -> tuple[Model, str]:
    """Read once in a process: an arena makes its bots anew for every game."""
    if ending == ".onnx":
        model = OnnxModel(content)
        return model, model.session.get_modelmeta().custom_metadata_map.get(KEY, "")
    from samizdat.lab.policies_torch import exported

    return exported(content)


class OnnxModel:
    """A graph with one input and logits as its first output. One thread: whoever plays much does so in processes."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._open()

    def _open(self) -> None:
        import onnxruntime

        onnxruntime.set_default_logger_severity(4)  # what is wrong is said once, by us
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(self.content, options, ["CPUExecutionProvider"])
        inputs = self.session.get_inputs()
        if len(inputs) != 1:
            raise OptionError(f"A policy has one input, its observations; this one has {len(inputs)}.")
        self.input = inputs[0].name
        self.one_by_one = inputs[0].shape[:1] == [1]
        self.output = self.session.get_outputs()[0].name

    def __getstate__(self) -> bytes:
        return self.content

    def __setstate__(self, content: bytes) -> None:
        self.content = content
        self._open()

    def __call__(self, observations: Floats) -> Any:
        if self.one_by_one:
            return np.concatenate([self._run(observations[i : i + 1]) for i in range(len(observations))])
        return self._run(observations)

    def _run(self, observations: Floats) -> Any:
        return self.session.run([self.output], {self.input: np.ascontiguousarray(observations)})[0]


def stamp(path: Path | str, game: Game) -> None:
    """Write into an ONNX file, from wherever it comes, what it was trained for."""
    onnx = _onnx()
    model = onnx.load(str(path))
    kept = {prop.key: prop.value for prop in model.metadata_props} | {KEY: Purpose.of(game).text()}
    onnx.helper.set_model_props(model, kept)
    onnx.save(model, str(path))


def write_onnx(path: Path | str, game: Game, layers: Sequence[tuple[Any, Any]], activation: str = "Relu") -> None:
    """A network of plain layers as an ONNX file: for each its weights (inputs × outputs) and biases, with `Relu`,
    `Tanh` or another of ONNX's functions between them. The last layer gives the logits."""
    onnx = _onnx()
    ends = np.shape(layers[0][0])[0], np.shape(layers[-1][0])[1]
    if ends != (size(game), game.capacity):
        raise OptionError(
            f"These layers make {ends[1]} logits from {ends[0]} numbers; {game.name} has {game.capacity} moves and "
            f"observations of {size(game)} numbers."
        )
    helper, numbers = onnx.helper, onnx.TensorProto.FLOAT
    nodes, kept, last = [], [], "observation"
    for i, layer in enumerate(layers):
        names = [f"weights_{i}", f"biases_{i}"]
        for name, values in zip(names, layer, strict=True):
            kept.append(onnx.numpy_helper.from_array(np.ascontiguousarray(values, np.float32), name))
        is_last = i == len(layers) - 1
        out = "logits" if is_last else f"sums_{i}"
        nodes.append(helper.make_node("Gemm", [last, *names], [out]))
        if not is_last:
            last = f"values_{i}"
            nodes.append(helper.make_node(activation, [out], [last]))
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info("observation", numbers, ["batch", size(game)])],
        [helper.make_tensor_value_info("logits", numbers, ["batch", game.capacity])],
        kept,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    helper.set_model_props(model, {KEY: Purpose.of(game).text()})
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _onnx() -> Any:
    try:
        import onnx
        import onnx.numpy_helper
    except ImportError:
        raise OptionError("Writing ONNX files needs onnx: pip install 'samizdat[agents]'.") from None
    return onnx
