"""The HTTP shell: routes that decode, call one verb and return what it said."""
