"""Compiles tee.proto into the descriptors that `cmbs.tee.wire` reads: `python -m cmbs.tee.compile`.

Needs grpcio-tools, which a server has no use for.
"""

from pathlib import Path

_FOLDER = Path(__file__).parent


def compile_proto(output: Path) -> None:
    import grpc_tools
    from grpc_tools import protoc

    known = Path(grpc_tools.__file__).parent / "_proto"
    command = ["protoc", f"-I{_FOLDER}", f"-I{known}", "--include_imports"]
    status = protoc.main([*command, f"--descriptor_set_out={output}", "tee.proto"])
    if status:
        raise SystemExit(status)


if __name__ == "__main__":
    compile_proto(_FOLDER / "tee.binpb")
