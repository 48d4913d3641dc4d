"""`python -m visavis` is the command."""

from visavis.cli import main

if __name__ == "__main__":
    main()
