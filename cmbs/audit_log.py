"""Where a server in this process keeps its events: lines in a file, on disk before a verb answers.

The lines of one session are what the audit route streams, so `cmbs.verify` reads them.
"""

from cmbs.kernel.audit_log import (
    FileAuditLog,
    recovered_from,
    restore_all,
)

__all__ = [
    "FileAuditLog",
    "recovered_from",
    "restore_all",
]
