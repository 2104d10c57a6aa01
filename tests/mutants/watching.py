"""What monitors are told: who may ask, what counts as open, what is counted, and for whom."""

from tests.mutants.fault import Fault

_SUBJECT = "watching"
_NEARNESS = "api/shell/nearness.py"
_SCRAPES = "api/rooms/operations/metrics.py"
_COUNTERS = "api/shell/metrics.py"
_WAITING = "sql/upkeep/metrics/waiting_metrics.sql"
_BY_OTHERS = ("tests/http/test_metrics.py::test_who_may_be_somebody_else_needs_one",)
_READ_METRICS = "tests/sql/upkeep/test_read_metrics.py"

FAULTS = [
    Fault(
        "behind a trusted proxy anybody is taken for a program of this machine",
        _SUBJECT,
        "missing check",
        _NEARNESS,
        "if proxies or not scope",
        "if not scope",
        ("tests/http/test_metrics.py::test_behind_a_proxy_that_is_trusted_everybody_needs_one",),
    ),
    Fault(
        "another machine is taken for this one",
        _SUBJECT,
        "missing check",
        _NEARNESS,
        'not scope["client"] or not _is_loopback(scope["client"][0])',
        'not scope["client"]',
        ("tests/http/test_metrics.py::test_another_machine_is_not_this_one",),
    ),
    Fault(
        "what a proxy says of itself is not looked at",
        _SUBJECT,
        "missing check",
        _NEARNESS,
        "name in _OF_OTHERS or name.startswith(_BEGINNINGS)",
        "name in _OF_OTHERS",
        _BY_OTHERS,
    ),
    Fault(
        "any Host is one of this machine",
        _SUBJECT,
        "missing check",
        _NEARNESS,
        "return len(hosts) == 1 and _is_local(hosts[0])",
        "return len(hosts) == 1",
        _BY_OTHERS,
    ),
    Fault(
        "a reading is told to whoever asks next",
        _SUBJECT,
        "skipped role",
        _SCRAPES,
        "self._read(credential + who, reading)",
        'self._read(b"all", reading)',
        ("tests/http/test_metrics.py::test_a_reading_is_nobody_elses",),
    ),
    Fault(
        "who was never answered is told what was counted",
        _SUBJECT,
        "skipped role",
        _SCRAPES,
        "if who is None or self._known.get(credential) != who:",
        "if who is None:",
        ("tests/http/test_metrics.py::test_a_reading_that_takes_too_long_is_left_out",),
    ),
    Fault(
        "each scrape reads for itself",
        _SUBJECT,
        "lost bound",
        _SCRAPES,
        "if task is None or (task.done() and",
        "if task is None or (True and",
        ("tests/http/test_metrics.py::test_one_reading_answers_all_who_wait",),
    ),
    Fault(
        "a reason that nobody knows becomes a label",
        _SUBJECT,
        "missing check",
        _COUNTERS,
        'reason = reason if reason in verdicts.REASONS else "other"',
        'reason = reason or "other"',
        ("tests/http/test_counting.py::test_a_verdict_that_nobody_knows_is_another",),
    ),
    Fault(
        "any method becomes a label",
        _SUBJECT,
        "missing check",
        _COUNTERS,
        'method = method if method in _METHODS else "other"',
        'method = method or "other"',
        ("tests/http/test_counting.py::test_requests_by_route_and_status",),
    ),
    Fault(
        "what only the living have is kept of the dead",
        _SUBJECT,
        "lost bound",
        "api/serve.py",
        "metrics.forget_living(self._kept, worker.pid)",
        "self._kept",
        ("tests/deploy/test_worker_metrics.py::test_a_worker_that_is_killed_stays_counted",),
    ),
    Fault(
        "a round that failed is a success",
        _SUBJECT,
        "swapped branch",
        _COUNTERS,
        'if outcome != "failed":',
        "if outcome:",
        ("tests/http/test_counting.py::test_rounds_of_upkeep",),
    ),
    Fault(
        "readers that wait in vain are taken for other callers",
        _SUBJECT,
        "swapped branch",
        "cmbs/database/pool.py",
        "        except Busy:\n            raise\n",
        "",
        ("tests/http/test_shedding.py::test_while_others_read_what_is_long",),
    ),
    Fault(
        "what has run out is open until it is swept",
        _SUBJECT,
        "missing check",
        _WAITING,
        "and o.is_open and o.due_at > p_now\n",
        "and o.is_open\n",
        (f"{_READ_METRICS}::test_what_is_open_is_what_the_views_say",),
    ),
    Fault(
        "what was granted before the clock was set back is open",
        _SUBJECT,
        "missing check",
        _WAITING,
        "                    o.due_at > cmbs_store.reading_time(s)\n"
        "                    and not cmbs_store.clock_was_set_back(s, g.seq)\n",
        "                    true\n",
        (f"{_READ_METRICS}::test_a_clock_that_is_set_back_ends_what_was_granted",),
    ),
    Fault(
        "a question about a constraint that was changed is pending",
        _SUBJECT,
        "missing check",
        _WAITING,
        "or not cmbs_store.is_superseded(s, i)",
        "or true",
        (f"{_READ_METRICS}::test_what_has_been_answered_ended_or_superseded",),
    ),
    Fault(
        "who sees one tenant reads the numbers of all",
        _SUBJECT,
        "skipped role",
        "sql/upkeep/verbs/read_metrics.sql",
        "perform cmbs_store.check_operator(\n"
        "        cmbs_store.authorize_upkeep(p_credential, 'read_metrics', "
        "'{admin, auditor, monitor}')\n"
        "    );",
        "perform cmbs_store.authorize_upkeep(\n"
        "        p_credential, 'read_metrics', '{admin, auditor, monitor}'\n"
        "    );",
        (f"{_READ_METRICS}::test_who_may",),
    ),
]
