"""What every part may use: failures, texts, progress, files, lines of the log."""
