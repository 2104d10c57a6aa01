"""The way to the database: connections, verbs, views, bundles."""
