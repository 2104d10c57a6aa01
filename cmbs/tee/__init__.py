"""Tee over gRPC: the causal graph that incidents share, and what each of them rules out."""
