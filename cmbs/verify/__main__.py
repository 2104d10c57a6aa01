"""`python -m cmbs.verify`, which says of itself what the one file says."""

import sys

from cmbs.verify.command import main

if __name__ == "__main__":
    sys.exit(main(prog="verify.py"))
