"""What monitors ask for."""
