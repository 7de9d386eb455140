"""`python -m samizdat` is the command `samizdat`."""

from samizdat.cli import main

if __name__ == "__main__":
    main()
