"""Policy packs, which one decides in a session, and its mode."""
