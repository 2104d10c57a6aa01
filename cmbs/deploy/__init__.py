"""What makes and keeps a database: the embedded server, migrations, backups."""
