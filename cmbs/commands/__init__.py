"""The commands of `cmbs`: each module adds its own to the parser, and runs them."""
