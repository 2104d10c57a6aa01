"""What is due: permits that ran out, deferred proposals."""
