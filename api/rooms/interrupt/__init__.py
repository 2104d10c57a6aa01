"""Interrupts: what people are asked."""
