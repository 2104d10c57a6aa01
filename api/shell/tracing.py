"""Whether this server sends traces. Unless it does, nothing of OpenTelemetry is imported."""

import logging
import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from cmbs.common.log import line

if TYPE_CHECKING:
    from cmbs.api.shell.traces import Spans

log = logging.getLogger("cmbs.process")

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
# All that the extra brings comes with these two.
_NEEDED = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http")


def spans() -> "Spans | None":
    """What makes the spans of this process; None if it sends none."""
    if not _is_wanted() or not _is_installed():
        return None
    from cmbs.api.shell.traces import Spans

    return Spans()


def warn_if_missing() -> None:
    """Tell an operator who set an endpoint why nothing arrives there."""
    if _is_wanted() and not _is_installed():
        told = "an OTLP endpoint is set, but OpenTelemetry is not installed: install cmbs[otel]"
        log.warning(line("traces off", "warning", message=told))


def _is_wanted() -> bool:
    is_off = _setting("OTEL_SDK_DISABLED") == "true" or _setting("OTEL_TRACES_EXPORTER") == "none"
    return not is_off and any(map(_setting, _ENDPOINTS))


def _setting(name: str) -> str:
    return os.environ.get(name, "").strip().lower()


def _is_installed() -> bool:
    try:
        return all(map(find_spec, _NEEDED))
    except ModuleNotFoundError:
        # Of a package that holds the module.
        return False
