"""The messages of tee.proto, as classes, and its methods.

They live in a pool of their own: a program that has compiled the proto for itself keeps its
classes beside these, as no two of a name may be in one pool.
"""

from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SERVICE = "tee.Tee"
# In names of types, what stands before what people write.
NODE_PREFIX, EDGE_PREFIX = "NODE_TYPE_", "EDGE_TYPE_"


def _load() -> descriptor_pool.DescriptorPool:
    found = descriptor_pb2.FileDescriptorSet()
    found.ParseFromString((Path(__file__).parent / "tee.binpb").read_bytes())
    loaded = descriptor_pool.DescriptorPool()
    for file in found.file:
        loaded.Add(file)
    return loaded


class Method(NamedTuple):
    """A call of the service: its path, and the classes of its request and answer."""

    path: str
    request: Any
    answer: Any


POOL = _load()


def _class(descriptor: Any) -> Any:
    return message_factory.GetMessageClass(descriptor)


METHODS = {
    method.name: Method(
        f"/{SERVICE}/{method.name}", _class(method.input_type), _class(method.output_type)
    )
    for method in POOL.FindServiceByName(SERVICE).methods
}
NODE_TYPES: dict[int, str] = {
    value.number: value.name.removeprefix(NODE_PREFIX)
    for value in POOL.FindEnumTypeByName("tee.NodeType").values
}
EDGE_TYPES: dict[int, str] = {
    value.number: value.name.removeprefix(EDGE_PREFIX)
    for value in POOL.FindEnumTypeByName("tee.EdgeType").values
}


def message(name: str) -> Any:
    """The class of a message of tee.proto."""
    return _class(POOL.FindMessageTypeByName(f"tee.{name}"))
