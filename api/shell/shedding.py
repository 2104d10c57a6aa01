"""What a server does not do because it has too much to do, or has not what it takes: why."""

import psycopg
import psycopg_pool

from cmbs.database.pool import Busy, LongReadsBusy, LongReadsFull

# Why a request was answered with 408, 429 or 503.
REASONS = (
    *("rate_limit", "pool_full", "pool_timeout", "long_reads_full", "long_reads_busy"),
    *("memory", "slow_body", "lock_timeout", "statement_timeout", "lost_race"),
    *("database_away", "database_full", "read_only", "other_revision", "shutting_down"),
)
STATUSES = (408, 429, 503)

# By SQLSTATE, or by its class.
_BY_STATE = {
    "55P03": "lock_timeout",
    "57014": "statement_timeout",
    "40001": "lost_race",
    "40P01": "lost_race",
    "25006": "read_only",
    "53": "database_full",
}


def reason_of(error: Exception) -> str:
    """Why the request that ended with this was not worked off."""
    match error:
        case LongReadsFull():
            return "long_reads_full"
        case psycopg_pool.TooManyRequests():
            return "pool_full"
        case LongReadsBusy():
            return "long_reads_busy"
        case Busy():
            return "pool_timeout"
        case psycopg.Error():
            state = error.sqlstate or ""
            return _BY_STATE.get(state) or _BY_STATE.get(state[:2]) or "database_away"
    # Whoever refuses a request for such a reason says which.
    return str(getattr(error, "shed", None) or "database_away")
