"""What surrounds every route: who comes in, how bodies are read, what goes out."""
