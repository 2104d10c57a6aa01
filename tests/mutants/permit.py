"""Permits to execute, and questions to people."""

from tests.mutants.fault import Fault

_PERMIT = "sql/permit/permit_fault.sql"
_QUESTION = "sql/interrupt/interrupt_state.sql"
_EXECUTION = "sql/log/rows/project_execution.sql"

FAULTS = [
    Fault(
        "a permit never runs out",
        "permit",
        "lost expiry",
        _PERMIT,
        "        when p_at >= p_permit.expires_at\n            or cmbs_store.clock_was_set_back",
        "        when cmbs_store.clock_was_set_back",
        (
            "tests/sql/permit/test_execution.py"
            "::test_a_permit_runs_out_whether_or_not_anybody_sweeps",
        ),
    ),
    Fault(
        "a permit is begun twice",
        "permit",
        "missing check",
        _PERMIT,
        "                and b.seq <= p_session.audit_seq\n        ) then 'PERMIT_USED'",
        "                and b.seq < 1\n        ) then 'PERMIT_USED'",
        ("tests/sql/permit/test_execution.py::test_case_58_once_from_the_verdict_to_the_result",),
    ),
    Fault(
        "whoever asks may execute what another proposed",
        "permit",
        "missing check",
        "sql/permit/check_executor.sql",
        "and not p_caller.roles && array['encoder', 'tool'] then",
        "and not p_caller.roles && array['agent', 'encoder', 'tool'] then",
        ("tests/sql/permit/test_execution.py::test_who_executes",),
    ),
    Fault(
        "an execution is ended by who did not begin it",
        "permit",
        "missing check",
        "sql/permit/check_beginner.sql",
        "elsif v_actor <> p_caller.name then",
        "elsif v_actor < '' then",
        ("tests/sql/permit/test_execution.py::test_who_executes",),
    ),
    Fault(
        "an execution begins in the transaction of its decision",
        "permit",
        "missing check",
        "sql/call/is_of_this_transaction.sql",
        ") = 'in progress',",
        ") = 'aborted',",
        (
            "tests/sql/permit/test_execution.py"
            "::test_case_59_not_in_the_transaction_of_the_decision",
        ),
    ),
    Fault(
        "who waited for the lock acts by rights that are gone",
        "permit",
        "lock too late",
        "sql/permit/verbs/begin_execution.sql",
        "    v_caller := cmbs_store.authorize(p_credential, 'begin_execution',"
        " '{agent, encoder, tool}');\n",
        "",
        ("tests/sql/permit/test_execution.py::test_who_waited_for_the_lock_may_act_no_more",),
    ),
    Fault(
        "who lost the right while waiting answers a question",
        "interrupt",
        "lock too late",
        "sql/interrupt/verbs/resolve_interrupt.sql",
        "    v_caller := cmbs_store.authorize(p_credential, 'resolve_interrupt', '{approver}');\n",
        "",
        ("tests/sql/permit/test_execution.py::test_nor_may_who_waited_to_say_something",),
    ),
    Fault(
        "who lost the right while waiting proposes",
        "permit",
        "lock too late",
        "sql/verdict/verbs/propose.sql",
        "    v_caller := cmbs_store.authorize(p_credential, 'propose',"
        " '{agent, encoder, tool}');\n",
        "",
        ("tests/sql/permit/test_execution.py::test_nor_may_who_waited_to_say_something",),
    ),
    Fault(
        "the beginning of an execution leaves no row",
        "permit",
        "dropped insert",
        _EXECUTION,
        "        values (p_session_id, (p_payload ->> 'permit_id')::uuid, p_seq, p_actor);",
        "        select p_session_id, (p_payload ->> 'permit_id')::uuid, p_seq, p_actor\n"
        "        where p_seq < 1;",
        ("tests/sql/permit/test_execution.py::test_case_58_once_from_the_verdict_to_the_result",),
    ),
    Fault(
        "a permit that ran out keeps its call",
        "permit",
        "dropped insert",
        _EXECUTION,
        "from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id);",
        "from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id) where p_seq < 1;",
        (
            "tests/sql/permit/test_execution.py"
            "::test_a_permit_runs_out_whether_or_not_anybody_sweeps",
        ),
    ),
    Fault(
        "a call that failed is not given back",
        "permit",
        "budget not counted",
        _EXECUTION,
        "    if p_verb = 'SWEEP_EXPIRED' or p_payload ->> 'outcome' = 'error'\n",
        "    if p_verb = 'SWEEP_EXPIRED'\n",
        ("tests/sql/permit/test_execution.py::test_case_63_an_error_releases",),
    ),
    Fault(
        "a sweep releases what has not run out",
        "permit",
        "lost expiry",
        "sql/upkeep/expired_permits.sql",
        "                and o.due_at <= p_at\n",
        "                and o.due_at >= p_at\n",
        (
            "tests/sql/permit/test_execution.py"
            "::test_a_permit_runs_out_whether_or_not_anybody_sweeps",
        ),
    ),
    Fault(
        "what changed since is not decided anew",
        "permit",
        "missing check",
        "sql/permit/begin_fault.sql",
        "and cmbs_store.is_unchanged(p_session, p_permit.seq)",
        "and p_permit.seq > 0",
        ("tests/sql/permit/test_execution.py::test_what_has_changed_since_is_decided_anew",),
    ),
    Fault(
        "whoever proposed approves it",
        "interrupt",
        "own approval",
        "sql/interrupt/refusal_of_answer.sql",
        "                and p.actor = p_actor\n",
        "                and p.actor = p_actor || '?'\n",
        ("tests/sql/interrupt/test_approval.py::test_case_70_not_by_who_proposed",),
    ),
    Fault(
        "an approval is used twice",
        "interrupt",
        "used twice",
        _QUESTION,
        "                and u.seq <= p_session.audit_seq\n        ) then 'consumed'",
        "                and u.seq < 1\n        ) then 'consumed'",
        ("tests/sql/interrupt/test_approval.py::test_case_71_once",),
    ),
    Fault(
        "silence is an answer for ever",
        "interrupt",
        "lost expiry",
        _QUESTION,
        "        when p_at >= p_interrupt.expires_at\n            or cmbs_store.clock_was_set_back",
        "        when cmbs_store.clock_was_set_back",
        ("tests/sql/interrupt/test_approval.py::test_case_68_silence_is_no_answer",),
    ),
    Fault(
        "a no is as good as a yes",
        "interrupt",
        "swapped branch",
        _QUESTION,
        "        when r.resolution = 'decline' then 'declined'\n",
        "        when r.resolution = 'decline' then 'approved'\n",
        ("tests/sql/interrupt/test_approval.py::test_case_69_no_is_not_never_mind",),
    ),
    Fault(
        "an approval outlives the constraint that it waives",
        "interrupt",
        "missing check",
        "sql/interrupt/is_superseded.sql",
        "            and p.seq > p_interrupt.seq\n",
        "            and p.seq < p_interrupt.seq\n",
        ("tests/sql/interrupt/test_approval.py::test_case_67_the_waived_constraint_changes",),
    ),
    Fault(
        "an answer leaves no row",
        "interrupt",
        "dropped insert",
        _EXECUTION,
        "        values (\n            p_session_id, (p_payload ->> 'interrupt_id')::uuid, p_seq,\n"
        "            p_payload ->> 'resolution', p_actor\n        );",
        "        select\n            p_session_id, (p_payload ->> 'interrupt_id')::uuid, p_seq,\n"
        "            p_payload ->> 'resolution', p_actor\n        where p_seq < 1;",
        ("tests/sql/interrupt/test_approval.py::test_case_65_approved_and_gone_on_with",),
    ),
    Fault(
        "an approval is of whatever is sent with it",
        "interrupt",
        "missing check",
        "sql/verdict/input_of_resume.sql",
        "    if v_resumption.p_code is distinct from 'APPROVAL_NOT_ASKED'\n        and",
        "    if v_resumption.p_code = 'APPROVAL_NOT_ASKED'\n        and",
        ("tests/sql/interrupt/test_approval.py::test_case_66_something_else",),
    ),
    Fault(
        "somebody else goes on with what was approved",
        "interrupt",
        "missing check",
        "sql/verdict/input_of_resume.sql",
        "elsif p_asked.actor <> p_caller.name then",
        "elsif p_asked.actor < '' then",
        ("tests/sql/interrupt/test_approval.py::test_case_70_not_by_who_proposed",),
    ),
]
