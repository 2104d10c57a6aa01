#!/usr/bin/env python3
# %% [markdown]
# # How the belief of a session narrowed
#
# Survivors and entropy after each event, asked from SQL and written as PNG. This file is a program
# and a notebook: an editor that knows `# %%` runs it cell by cell.

# %%
"""Draw how the belief of a session narrowed: survivors and entropy after each event, as PNG.

    python examples/draw_session.py SESSION DATABASE_URL OUTPUT.png

It needs psycopg and matplotlib, and a login that reads the views: `cmbs analyst add NAME` makes one
and prints its address.
"""

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

try:
    import matplotlib
    import psycopg
except ModuleNotFoundError as missing:
    sys.exit(
        f"draw_session: {missing}; the first `python3 run.py test` of a checkout installs both, "
        "and .venv/bin/python has them then"
    )

matplotlib.use("Agg")
from matplotlib import pyplot, ticker

# %% [markdown]
# ## Ask
#
# The view has a row for each event: how many hypotheses survive it, and log2 of that.

# %%
_QUERY = """
select seq, n_survivors, entropy_proxy
from cmbs.survivors_over_time
where session_id = %s
order by seq
"""


class Step(NamedTuple):
    """The belief right after an event."""

    seq: int
    survivors: int
    entropy: float


def read(url: str, session: UUID) -> list[Step]:
    with psycopg.connect(url) as connection:
        return [Step(*row) for row in connection.execute(_QUERY, [session])]


# %% [markdown]
# ## Draw
#
# Belief is monotone, so both curves only fall. Where they are level, an event told nothing new, or
# was one of the gates.

# %%
# A step for each event cannot be seen any more, and takes long to draw.
_MOST_MARKERS = 200


def draw(session: str, steps: Sequence[Step]) -> Any:
    """A figure with two curves over one axis of events; both stay until the next event."""
    figure, counts = pyplot.subplots(figsize=(9, 5), layout="constrained")
    entropies = counts.twinx()
    seqs = [step.seq for step in steps]
    survivors = [step.survivors for step in steps]
    entropy = [step.entropy for step in steps]
    marker = "o" if len(steps) <= _MOST_MARKERS else ""
    (left,) = counts.step(seqs, survivors, "-", where="post", marker=marker, label="survivors")
    (right,) = entropies.step(seqs, entropy, "--C1", where="post", label="entropy")
    counts.set(title=f"Session {session}", xlabel="event", ylabel="survivors")
    entropies.set_ylabel("entropy (bits)")
    # Counts from zero, or a small change would look like a large one.
    counts.set_ylim(bottom=0)
    entropies.set_ylim(bottom=0)
    counts.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
    counts.legend(handles=[left, right])
    return figure


# %% [markdown]
# ## Write
#
# In a notebook, call `main` with the three arguments of the program instead.


# %%
def main(arguments: Sequence[str]) -> None:
    if len(arguments) != 3:
        sys.exit("usage: draw_session.py SESSION DATABASE_URL OUTPUT.png")
    session, url, output = arguments
    try:
        steps = read(url, UUID(session))
    except ValueError:
        sys.exit(f"draw_session: {session} is not the id of a session")
    except psycopg.Error as error:
        sys.exit(f"draw_session: {' '.join(str(error).split())}")
    if not steps:
        sys.exit(f"draw_session: there is no session {session}")
    figure = draw(session, steps)
    try:
        figure.savefig(output, dpi=100, format="png")
    except OSError as error:
        sys.exit(f"draw_session: {output} cannot be written: {error.strerror}")
    print(f"drew {len(steps)} events to {output}")


if __name__ == "__main__":
    main(sys.argv[1:])
