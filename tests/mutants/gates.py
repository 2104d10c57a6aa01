"""Obligations, conclusions and the end of a session."""

from tests.mutants.fault import Fault

_SUBJECT = "gates"
_DECIDE = "sql/gates/decide_gate.sql"
_END = "sql/gates/termination_reason.sql"
_EXIT = "sql/gates/verbs/request_exit.sql"

FAULTS = [
    Fault(
        "an exit needs one elimination too many",
        _SUBJECT,
        "wrong comparison",
        _EXIT,
        "        >= v_session.obligation_minimum;",
        "        > v_session.obligation_minimum;",
        ("tests/verbs/test_request_exit.py::test_what_counts_are_ids_applied",),
    ),
    Fault(
        "an exit leaves no row",
        _SUBJECT,
        "dropped insert",
        _EXIT,
        "    if v_approved then\n        insert",
        "    if v_approved is null then\n        insert",
        ("tests/verbs/test_request_exit.py::test_what_counts_are_ids_applied",),
    ),
    Fault(
        "a waiver needs no policy role",
        _SUBJECT,
        "skipped role",
        "sql/gates/verbs/waive_obligation.sql",
        "p_credential, 'waive_obligation', '{policy}'",
        "p_credential, 'waive_obligation', '{agent, policy}'",
        ("tests/test_authorize.py::test_roles",),
    ),
    Fault(
        "a waived obligation stays open in the table",
        _SUBJECT,
        "dropped insert",
        "sql/gates/verbs/waive_obligation.sql",
        "    values (p_session_id, v_entered_seq, v_session.audit_seq, 'waived',"
        " v_session.n_survivors);",
        "    select p_session_id, v_entered_seq, v_session.audit_seq, 'waived',"
        " v_session.n_survivors\n    where p_reason is null;",
        ("tests/verbs/test_waive_obligation.py::test_the_way_out",),
    ),
    Fault(
        "two obligations are active at a time",
        _SUBJECT,
        "missing check",
        "sql/gates/verbs/enter_obligation.sql",
        "    if v_session.obligation_id is not null then\n",
        "    if v_session.obligation_id = p_obligation_id then\n",
        ("tests/verbs/test_enter_obligation.py::test_one_at_a_time",),
    ),
    Fault(
        "an obligation counts from the declare",
        _SUBJECT,
        "wrong count",
        "sql/gates/verbs/enter_obligation.sql",
        "v_session.obligation_survivors := v_session.n_survivors;",
        "v_session.obligation_survivors := v_session.n_hypotheses;",
        ("tests/verbs/test_enter_obligation.py::test_the_count_starts_from_the_entry",),
    ),
    Fault(
        "a minimum below zero is taken",
        _SUBJECT,
        "wrong minimum",
        "sql/gates/verbs/enter_obligation.sql",
        "p_min_total_eliminations < 0 then",
        "p_min_total_eliminations < -1 then",
        ("tests/verbs/test_enter_obligation.py::test_refused",),
    ),
    Fault(
        "a conclusion under an obligation is accepted once one survives",
        _SUBJECT,
        "missing check",
        "sql/gates/verbs/declare_conclusion.sql",
        "v_accepted := v_session.obligation_id is null;",
        "v_accepted := v_session.obligation_id is null or v_session.n_survivors = 1;",
        ("tests/verbs/test_declare_conclusion.py::test_blocked_however_few_survive",),
    ),
    Fault(
        "another conclusion goes on with the row of the first",
        _SUBJECT,
        "wrong count",
        "sql/gates/verbs/declare_conclusion.sql",
        "            else 1\n",
        "            else v_session.conclusion_run + 1\n",
        ("tests/verbs/test_request_termination.py::test_reasons",),
    ),
    Fault(
        "a denied conclusion leaves no row",
        _SUBJECT,
        "dropped insert",
        "sql/gates/verbs/declare_conclusion.sql",
        "    values (p_session_id, v_session.audit_seq, p_conclusion_id, v_accepted);",
        "    select p_session_id, v_session.audit_seq, p_conclusion_id, v_accepted"
        " where v_accepted;",
        ("tests/verbs/test_list_conclusions.py::test_accepted_or_not",),
    ),
    Fault(
        "a session without survivors may end",
        _SUBJECT,
        "wrong comparison",
        _END,
        "when p_n_survivors = 1 and p_is_stable then",
        "when p_n_survivors <= 1 and p_is_stable then",
        ("tests/verbs/test_request_termination.py::test_reasons",),
    ),
    Fault(
        "force ends a session whose policy does not allow it",
        _SUBJECT,
        "missing check",
        _END,
        "when p_force and p_force_allowed then",
        "when p_force then",
        ("tests/verbs/test_request_termination.py::test_reasons",),
    ),
    Fault(
        "force wins over an obligation",
        _SUBJECT,
        "swapped order",
        _END,
        "        when p_has_obligation then 'active obligation blocks termination'\n"
        "        when p_force and p_force_allowed then 'approved by force'\n",
        "        when p_force and p_force_allowed then 'approved by force'\n"
        "        when p_has_obligation then 'active obligation blocks termination'\n",
        ("tests/verbs/test_request_termination.py::test_an_obligation_blocks_also_with_force",),
    ),
    Fault(
        "a conclusion is stable one time too late",
        _SUBJECT,
        "wrong comparison",
        "sql/gates/verbs/request_termination.sql",
        "v_session.conclusion_run >= v_session.stability_window,",
        "v_session.conclusion_run > v_session.stability_window,",
        ("tests/verbs/test_request_termination.py::test_reasons",),
    ),
    Fault(
        "any truth of force is force",
        _SUBJECT,
        "wrong comparison",
        "sql/gates/verbs/request_termination.sql",
        "coalesce(v_context -> 'force' = 'true', false),",
        "coalesce(v_context ->> 'force' = 'true', false),",
        ("tests/verbs/test_request_termination.py::test_force_is_the_json_value_true",),
    ),
    Fault(
        "an agent declares a session that it may end by force",
        _SUBJECT,
        "skipped role",
        "sql/belief/check_forced_termination.sql",
        "'policy' <> all(p_caller.roles)",
        "'policy' <> all(p_caller.roles) and 'agent' <> all(p_caller.roles)",
        ("tests/test_authorize.py::test_forced_termination_is_declared_by_the_policy_role",),
    ),
    Fault(
        "explain finds an exit nearer than it is",
        _SUBJECT,
        "off by one",
        "sql/belief/lookback/obligation_left.sql",
        "p_session.obligation_survivors + p_session.n_survivors,",
        "p_session.obligation_survivors + p_session.n_survivors - 1,",
        ("tests/verbs/test_explain.py::test_the_gates_say_what_the_verbs_would_say",),
    ),
]
