"""What is read of /metrics."""

from collections.abc import Iterator

import httpx
from prometheus_client.parser import text_string_to_metric_families

from cmbs.api.rooms.operations import metrics


class Scraped:
    """One scrape: every value by the name and the labels of its series."""

    def __init__(self, answer: httpx.Response) -> None:
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == metrics.KIND
        self.text = answer.text
        self.kinds: dict[str, str] = {}
        self.meanings: dict[str, str] = {}
        self.series: dict[tuple[str, frozenset[tuple[str, str]]], float] = {}
        for family in text_string_to_metric_families(answer.text):
            # The parser takes what all counters end in off their names.
            name = family.name + "_total" * (family.type == "counter")
            assert name not in self.kinds, "each is there once"
            self.kinds[name], self.meanings[name] = family.type, family.documentation
            for sample in family.samples:
                key = (sample.name, frozenset(sample.labels.items()))
                assert key not in self.series
                self.series[key] = sample.value

    def __call__(self, name: str, **labels: str) -> float:
        """The sum of the series with these labels; `class_` is the label class."""
        labels = {label.rstrip("_"): value for label, value in labels.items()}
        return sum(
            value
            for (found, its), value in self.series.items()
            if found == name and its >= labels.items()
        )

    def counters(self) -> Iterator[tuple[tuple[str, frozenset[tuple[str, str]]], float]]:
        """What may never be less than it was."""
        for key, value in self.series.items():
            if key[0].endswith(("_total", "_bucket", "_count", "_sum")):
                yield key, value

    def values_of(self, label: str) -> set[str]:
        return {value for _, its in self.series for name, value in its if name == label}


def scraped(client: httpx.Client, **more: object) -> Scraped:
    return Scraped(client.get("/metrics", **more))  # type: ignore[arg-type]
