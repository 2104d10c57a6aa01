import sys

from cmbs.cli import main

sys.exit(main())
