-- The policy packs that come with CMBS, for every tenant. A version that was released is never
-- changed: a better pack is one more call here, with the next number.

reset role;
set local role cmbs_kernel;
do $$
begin
    -- Belief works, and nothing else does: what sessions have that name no pack.
    perform cmbs_store.starter_pack('deny-all', 1, '{
        "policy.pack": {
            "v": 1, "value": "allows nothing: belief works, proposals are denied",
            "hint": "policy_apply lets another pack decide in this session"
        }
    }');
    -- Agents look and note what they see; nothing that changes something is called.
    perform cmbs_store.starter_pack('observe-only', 1, '{
        "policy.pack": {"v": 1, "value": "tools that read, facts and claims; no tool that writes"},
        "policy.claims": {"v": 1, "threshold": 0.80},
        "constraint.reads": {"v": 1, "effect": "allow", "subject": {"capability": "tool.read"}},
        "constraint.facts": {
            "v": 1, "effect": "allow", "subject": {"capability": "state.write.fact"}
        },
        "constraint.claims.fact": {
            "v": 1, "effect": "allow", "subject": {"capability": "claim.write.fact"}
        },
        "constraint.claims.derived": {
            "v": 1, "effect": "allow", "subject": {"capability": "claim.write.derived"}
        },
        "constraint.claims.hypothesis": {
            "v": 1, "effect": "allow", "subject": {"capability": "claim.write.hypothesis"}
        },
        "constraint.writes": {
            "v": 1, "effect": "deny", "subject": {"capability": "tool.write"},
            "reason": "this pack only observes"
        }
    }');
    -- Reads are free; a person is asked about every tool that writes.
    perform cmbs_store.starter_pack('supervised', 1, '{
        "policy.pack": {"v": 1, "value": "reads are allowed, writes ask a person"},
        "policy.arbitration": {"v": 1, "default": "grant"},
        "policy.claims": {"v": 1, "threshold": 0.80},
        "constraint.writes": {
            "v": 1, "effect": "deny", "subject": {"capability": "tool.write"}, "on_fail": "ask",
            "reason": "a person approves every tool that writes"
        }
    }');
    -- A tool that writes waits until evidence that others than its caller gave has left one
    -- hypothesis, and no obligation is active.
    perform cmbs_store.starter_pack('belief-gated', 1, '{
        "policy.pack": {"v": 1, "value": "tools that write wait for a single survivor"},
        "policy.arbitration": {"v": 1, "default": "grant"},
        "policy.claims": {"v": 1, "threshold": 0.80},
        "constraint.isolated": {
            "v": 1, "effect": "deny", "subject": {"capability": "tool.write"},
            "when": {"op": "not", "args": [
                {"op": "eq", "args": ["fact.belief.n_survivors_independent", 1]}
            ]},
            "reason": "the evidence of others has not isolated one cause"
        },
        "constraint.no-obligation": {
            "v": 1, "effect": "deny", "subject": {"capability": "tool.write"},
            "when": {"op": "exists", "args": ["fact.belief.active_obligation_id"]},
            "reason": "an obligation is active"
        }
    }');
end
$$;
