-- cmbs.reason_code
--
-- The reason codes of decisions, to join with.

create or replace view cmbs.reason_code with (security_barrier) as
select
    r.code,
    r.stage_no,
    r.stage,
    r.disposition,
    r.description
from cmbs_store.reason_code as r;

comment on view cmbs.reason_code is
'The reason codes of decisions, to join with.';
comment on column cmbs.reason_code.code is 'the code';
comment on column cmbs.reason_code.stage_no is
'the order of its stage: the first that fails names the decision';
comment on column cmbs.reason_code.stage is 'the stage that it belongs to';
comment on column cmbs.reason_code.disposition is
'what follows from it; on_fail: what the constraint says';
comment on column cmbs.reason_code.description is 'what it means';

revoke all on cmbs.reason_code from public;
grant select on cmbs.reason_code to cmbs_auditor, cmbs_policy, cmbs_analyst;
