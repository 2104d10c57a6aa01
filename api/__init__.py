"""The HTTP shell: routes that decode, call one verb and return what it said."""

# In a checkout this folder is also on the way as `api`, and a module with two names is there twice.
if __name__ != "cmbs.api":
    raise ImportError("import this package as cmbs.api", name=__name__)
