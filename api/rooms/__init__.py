"""The routes by subject, each with its requests and answers."""
