"""Alembic's entry: runs the migrations on the connection of `migrate`, or prints them."""

from alembic import context

connection = context.config.attributes.get("connection")
if connection is None:
    context.configure(
        dialect_name="postgresql",
        dialect_opts={"paramstyle": "named"},
        version_table="revision",
        version_table_schema="cmbs_store",
    )
else:
    context.configure(
        connection=connection, version_table="revision", version_table_schema="cmbs_store"
    )
# No transaction of Alembic's own: roles, migrations and functions are deployed in one.
context.run_migrations()
