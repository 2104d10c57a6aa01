"""Debian's Prometheus scrapes a server under load, and evaluates all that docs/monitoring/ asks."""

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import psycopg
import pytest
import yaml

from cmbs.database.calls import call
from tests.sql.verdict.scene import GRANT, Scene, deny, tool_call
from tests.support.databases import copied
from tests.support.scrape import Scraped, scraped
from tests.support.served import Served, free_port, running
from tests.support.servers import ROOT, reachable_folder, until
from tests.support.web import Client, bearer, token_of

FOLDER = ROOT / "docs/monitoring"
ALERTS, DASHBOARD = FOLDER / "cmbs-alerts.yaml", FOLDER / "cmbs-dashboard.json"
PAGE = ROOT / "docs/monitoring.md"
NAME = re.compile(r"\bcmbs_[a-z_]+")


def expressions() -> dict[str, str]:
    """Every expression of the dashboard, by the title of its panel, as Grafana would send it."""
    found = {}
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel.get("targets", []):
            title = f"{panel['title']} {target['refId']}"
            assert title not in found
            asked = target["expr"].replace("$__rate_interval", "10s")
            found[title] = asked.replace("$job", "cmbs")
    return found


def rules() -> dict[str, dict[str, Any]]:
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def needs(program: str) -> str:
    found = shutil.which(program)
    if not found:
        pytest.skip(f"{program} is not installed (Debian: prometheus)")
    return found


def test_alerts_are_rules() -> None:
    done = subprocess.run(
        [needs("promtool"), "check", "rules", str(ALERTS)], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    for name, rule in rules().items():
        assert rule["labels"]["severity"] in ("critical", "warning", "info"), name
        assert rule["annotations"]["summary"].endswith((".", ". {{ $value }}")), name
        assert rule["annotations"]["description"].endswith("."), name


def test_a_dashboard_is_one() -> None:
    board = json.loads(DASHBOARD.read_text())
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    rows = [panel["title"] for panel in panels if panel["type"] == "row"]
    assert rows == [
        *("Traffic", "Latency", "Verdicts", "Work waiting for people", "Upkeep", "Overload"),
        *("Growth of the log", "Build"),
    ]
    places = [tuple(panel["gridPos"][at] for at in "xy") for panel in panels]
    assert len(set(places)) == len(places)
    for panel in panels:
        if panel["type"] != "row":
            assert panel["datasource"]["uid"] == "${datasource}", panel["title"]
            assert panel["targets"], panel["title"]
    assert {one["name"] for one in board["templating"]["list"]} == {"datasource", "job"}


class Gone(BaseHTTPRequestHandler):
    """A receiver of webhooks that is no more."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(410)
        self.end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Nobody reads it."""


@contextmanager
def receiver() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Gone) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hook"
        server.shutdown()
        thread.join()


@contextmanager
def loaded(served: Served, headers: dict[str, str], database: str) -> Iterator[None]:
    """A few threads that send what callers send, until the end."""
    over, failed = threading.Event(), list[BaseException]()

    def work() -> None:
        with Client(base_url=served.address, headers=headers, timeout=60) as client:
            while not over.is_set():
                session = client.declare("a", "b")
                obligation = {"obligation_id": "o", "min_total_eliminations": 1}
                client.post(f"{session}/obligations", json=obligation)
                client.post(f"{session}/conclusions", json={"conclusion_id": "a"})
                client.eliminate(session, "b")
                client.post(f"{session}/obligations/o/exit", json={})
                client.post(f"{session}/terminate", json={})
                client.get(f"{session}/verify")
                client.get("/v1/identities/verify")
                client.get("/v1/nothing")

    def kept() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=kept) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(60)
    assert failed == []


class Prometheus:
    """Asks one over its own interface."""

    def __init__(self, address: str) -> None:
        self._client = httpx.Client(base_url=address, timeout=30)
        self.close = self._client.close

    def get(self, path: str, **asked: str) -> Any:
        answer = self._client.get(f"/api/v1/{path}", params=asked)
        told = answer.json()
        assert (answer.status_code, told["status"]) == (200, "success"), (asked, answer.text)
        return told["data"]

    def is_ready(self) -> bool:
        try:
            return self._client.get("/-/ready").status_code == 200
        except httpx.TransportError:
            return False

    def query(self, expression: str) -> list[Any]:
        found: list[Any] = self.get("query", query=expression)["result"]
        return found

    def n_scrapes(self) -> int:
        found = self.query('count_over_time(up{job="cmbs"}[5m])')
        return int(found[0]["value"][1]) if found else 0

    def firing(self) -> set[str]:
        alerts = self.get("alerts")["alerts"]
        return {one["labels"]["alertname"] for one in alerts if one["state"] == "firing"}


@contextmanager
def prometheus(folder: Path, served: Served, token: str) -> Iterator[Prometheus]:
    """Over a server, with our alerts, which here need not last to fire."""
    eager = re.sub(r"for: \w+", "for: 0s", ALERTS.read_text())
    (folder / "alerts.yaml").write_text(eager)
    (folder / "token").write_text(token)
    job = {
        "job_name": "cmbs",
        "authorization": {"credentials_file": str(folder / "token")},
        "static_configs": [{"targets": [f"127.0.0.1:{served.port}"]}],
    }
    config = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(folder / "alerts.yaml")],
        "scrape_configs": [job],
    }
    (folder / "prometheus.yaml").write_text(yaml.safe_dump(config))
    port = free_port()
    command = [
        needs("prometheus"),
        f"--config.file={folder / 'prometheus.yaml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=warn",
    ]
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
    found = Prometheus(f"http://127.0.0.1:{port}")
    try:
        until(lambda: found.is_ready() or process.poll() is not None, 60)
        assert process.poll() is None, (folder / "said").read_text()
        yield found
    finally:
        found.close()
        process.terminate()
        process.wait(30)


@pytest.fixture(scope="module")
def scene(server: SimpleNamespace, template: Any, tmp_path_factory: Any) -> Iterator[Any]:
    """A server of two workers, under load for as long as the tests run, and Prometheus over it."""
    needs("prometheus")
    with (
        copied(server, template, "prometheus") as database,
        reachable_folder() as folder,
        receiver() as hook,
    ):
        with psycopg.connect(database, autocommit=True) as owner:
            call(owner, "set_webhook", url=hook, secret="s" * 24)
            asking = Scene(owner, GRANT | {"constraint.asked": deny("B", on_fail="ask")})
            asking.propose(tool_call("B"))
        agent = token_of(database, "loader", "agent", "auditor", tenant="default")
        monitor = token_of(database, "prometheus", "monitor")
        url = psycopg.conninfo.make_conninfo(database, user="cmbs_server")
        arguments = ("--workers", "2", "--rate-limit", "0", "--database-url", url)
        with (
            running(Served(folder, arguments)) as served,
            loaded(served, bearer(agent), database),
            prometheus(tmp_path_factory.mktemp("prometheus"), served, monitor.text) as watching,
        ):
            until(lambda: watching.n_scrapes() >= 8, 60)
            with Client(base_url=served.address, headers=bearer(monitor)) as client:
                yield SimpleNamespace(prometheus=watching, client=client)


@pytest.mark.slow("a server and Prometheus are started, and scrape for some seconds")
def test_every_expression_of_the_dashboard(scene: Any, subtests: pytest.Subtests) -> None:
    for title, expression in expressions().items():
        with subtests.test(title):
            found = scene.prometheus.query(expression)
            assert found, expression
            assert any(one["value"][1] != "NaN" for one in found), expression


@pytest.mark.slow("as above")
def test_every_expression_of_the_alerts(scene: Any, subtests: pytest.Subtests) -> None:
    for name, rule in rules().items():
        with subtests.test(name):
            scene.prometheus.query(rule["expr"])
            # Without what is compared with there has to be something to compare.
            subject = re.sub(r" (?:==|>) [0-9.e]+(?= and |$)", "", rule["expr"].strip())
            assert subject != rule["expr"].strip()
            quiet = re.sub(r"rate\((\w+)\{[^}]*\}", r"rate(\1", subject)
            assert scene.prometheus.query(quiet.replace("by (job, class) (rate", "by (job) (rate"))
    groups = scene.prometheus.get("rules")["groups"]
    states = {rule["name"]: rule["health"] for group in groups for rule in group["rules"]}
    assert states == dict.fromkeys(rules(), "ok")


@pytest.mark.slow("as above")
def test_an_alert_fires_where_a_webhook_is_dead(scene: Any) -> None:
    until(lambda: "CmbsWebhookIsDead" in scene.prometheus.firing(), 60)
    critical = {name for name, rule in rules().items() if rule["labels"]["severity"] == "critical"}
    assert len(critical) == 3
    assert not scene.prometheus.firing() & critical
    assert scraped(scene.client)("cmbs_webhook_messages", state="dead") == 1


def documented() -> dict[str, tuple[str, set[str], str]]:
    """What the page says: the kind, the labels and the meaning of each metric."""
    rows = re.findall(
        r"^\| `(cmbs_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$", PAGE.read_text(), re.MULTILINE
    )
    return {
        name: (kind, set(re.findall(r"`(\w+)`", labels)), meaning)
        for name, kind, labels, meaning in rows
    }


def told(found: Scraped) -> dict[str, tuple[str, set[str], str]]:
    labels: dict[str, set[str]] = {name: set() for name in found.kinds}
    for name, its in found.series:
        family = re.sub(r"_(?:bucket|sum|count)$", "", name)
        labels[family if family in labels else name] |= {label for label, _ in its} - {"le"}
    return {name: (kind, labels[name], found.meanings[name]) for name, kind in found.kinds.items()}


@pytest.mark.slow("as above")
def test_every_metric_is_documented(scene: Any) -> None:
    found = told(scraped(scene.client))
    assert documented() == found, "\n".join(
        f"| `{name}` | {kind} | {', '.join(f'`{label}`' for label in sorted(labels))} | {meaning} |"
        for name, (kind, labels, meaning) in sorted(found.items())
    )


@pytest.mark.slow("as above")
def test_every_name_that_is_asked_for_is_there(scene: Any) -> None:
    names = {name for name, _ in scraped(scene.client).series}
    asked = [*expressions().values(), *(rule["expr"] for rule in rules().values())]
    assert {name for text in asked for name in NAME.findall(text)} <= names


@pytest.mark.slow("as above")
def test_promtool_has_nothing_to_say_of_a_scrape(scene: Any) -> None:
    text = scraped(scene.client).text
    done = subprocess.run(
        [needs("promtool"), "check", "metrics"], input=text, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
