"""Answers of verbs in words, line by line."""
