"""Lets ``python -m watermeet`` do what ``watermeet`` does."""

from watermeet.cli.main import main

if __name__ == "__main__":
    main()
