"""What principals can be, and what they can be let do; the kernel refuses others."""

KINDS = ("agent", "encoder", "tool", "human", "service")
ROLES = ("agent", "encoder", "tool", "policy", "approver", "auditor", "admin", "monitor")
