"""Requests with retries, jobs and tapes."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlencode

from .answer import Answer
from .operations import Operations

#: Statuses after which the same request may succeed; 503 without Retry-After is permanent.
_WAIT = (429, 503)
_LONGEST_PAUSE_SECONDS = 60.0
_SHORTEST_LOOK_SECONDS = 0.2
_LONGEST_LOOK_SECONDS = 5.0


@dataclass(frozen=True)
class Fault:
    """One fault of a request."""

    #: Member with the fault: `params.loans.3.N`, of a tape `line.63.collateral_amount`.
    path: str
    #: Stays where the text changes: `missing`, `out_of_range`, ...
    code: str
    message: str


class Refused(Exception):
    """The server refused a request; `faults` names every member that is at fault."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.faults = [
            Fault(each.get("path", ""), each.get("code", ""), each.get("message", ""))
            for each in problem.get("errors", ())
        ]
        lines = [f"{each.path}: {each.message} ({each.code})" for each in self.faults]
        super().__init__("\n".join([problem.get("detail") or f"status {status}", *lines]))


@dataclass(frozen=True)
class JobState:
    """Where a job is."""

    #: queued, running, done, failed or cancelled; the last three are final.
    state: str
    #: Share of the work that is done, 0 to 1.
    share_done: float
    #: Time to the end at the rate so far; None while unknown.
    seconds_left: float | None


class Job:
    """A question in the background: iterate over its states, then read `result()`."""

    def __init__(self, client: RiskClient, path: str, job_id: str) -> None:
        self._client = client
        self._path = path
        self.id = job_id

    def __iter__(self) -> Iterator[JobState]:
        while True:
            state = self._client._get_json(f"/jobs/{self.id}")
            left = state["seconds_left"]
            yield JobState(state["state"], state["share_done"], left)
            if state["state"] not in ("queued", "running"):
                return
            look = 0.2 * (1.0 if left is None else left)
            self._client._pause(min(_LONGEST_LOOK_SECONDS, max(_SHORTEST_LOOK_SECONDS, look)))

    def result(self) -> Answer:
        """Waits for the end. An interruption cancels the job.

        :raises Refused: where the job failed
        """
        try:
            for _ in self:
                pass
        except BaseException:
            self.cancel()
            raise
        _, body, headers = self._client._send("GET", f"/jobs/{self.id}/result")
        return Answer(self._path, json.loads(body), headers)

    def cancel(self) -> None:
        """Ends the job where it has not ended."""
        self._client._send("DELETE", f"/jobs/{self.id}")


class RiskClient(Operations):
    """A client of one server; each operation is a method, and `job` runs any of them in the background.

    A request is sent again after 429, and after 503 with `Retry-After`, not before the time that the server names, and after
    a failed connection.

    :param url: base address, `http://127.0.0.1:8080`
    :param key: sent as `x-api-key`
    :param retries: further tries of a request
    :param timeout: seconds of one try
    """

    def __init__(self, url: str, key: str | None = None, *, retries: int = 5, timeout: float = 300.0) -> None:
        self.url = url.rstrip("/")
        self._key = key
        self._retries = retries
        self._timeout = timeout
        #: Replaced by tests.
        self._pause: Callable[[float], None] = time.sleep

    def ask(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        seed: int | None = None,
        compute: str | None = None,
        include: Sequence[str] = (),
        market_data: str | None = None,
        **query: Any,
    ) -> Answer:
        """The answer of an operation.

        :param path: `/loan_risk`, ...
        :param seed: of the random numbers; the server's default is 0
        :param compute: auto, gpu or cpu
        :param include: further members of the answer: accuracy, model, warnings, ...
        :param market_data: version of the market data to answer on, as an earlier answer has it
        :param query: other members of the query: `confidence=0.99`, `sampling="tail"`
        :raises Refused: the server's refusal, with every fault
        """
        headers = _question_headers(seed, compute, market_data)
        address = _address(path, include, query)
        return self._answer(path, address, json.dumps(body).encode(), "application/json", headers)

    def job(
        self,
        path: str,
        body: Mapping[str, Any],
        *,
        seed: int | None = None,
        compute: str | None = None,
        include: Sequence[str] = (),
        market_data: str | None = None,
        idempotency_key: str | None = None,
        **query: Any,
    ) -> Job:
        """Begins an operation in the background; parameters as of `ask`.

        :param idempotency_key: a program that runs again with the same one finds its first job; a new one by default
        """
        headers = {
            **_question_headers(seed, compute, market_data),
            "content-type": "application/json",
            "prefer": "respond-async",
            "idempotency-key": idempotency_key or str(uuid.uuid4()),
        }
        _, text, _ = self._send("POST", _address(path, include, query), json.dumps(body).encode(), headers)
        return Job(self, path, json.loads(text)["id"])

    def book(
        self,
        tape: Any,
        *,
        columns: Mapping[str, str] | None = None,
        seed: int | None = None,
        compute: str | None = None,
        include: Sequence[str] = (),
        market_data: str | None = None,
        **options: Any,
    ) -> Answer:
        """/book_risk of a tape.

        :param tape: a DataFrame of pandas or Polars with a row for each loan, or the text of a CSV file
        :param columns: names of its columns that are not those of a tape: `{"Facility ID": "loan_id"}`; `-` is not used
        :param options: members of the query of a tape: `type="STUDENT_T"`, `analysis_date`, `days=30`, `dates="dmy"`,
            `default={"grace_hours": 24}`, `percent=["interest"]`, ...
        :raises Refused: every fault has its line and column
        """
        text = tape if isinstance(tape, str) else _csv(tape)
        query = {name: _option(value) for name, value in {"columns": columns, **options}.items() if value is not None}
        headers = _question_headers(seed, compute, market_data)
        return self._answer("/book_risk", _address("/book_risk", include, query), text.encode(), "text/csv", headers)

    def batch(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Answer | Refused]]:
        """Many questions in one request; a faulty one is refused alone.

        :param lines: `{"id": ..., "path": "/loan_risk", "body": {...}, "seed": 7}`; the ids are unique
        :returns: ids with answers or refusals, in the order of their completion
        :raises ConnectionError: where the answer was cut off
        """
        sent = list(lines)
        paths = {line["id"]: line["path"] for line in sent}
        body = "".join(f"{json.dumps(line)}\n" for line in sent).encode()
        _, text, _ = self._send("POST", "/batch", body, {"content-type": "application/x-ndjson"})
        *answers, last = [json.loads(line) for line in text.splitlines()]
        if last.get("done") != len(sent):
            raise ConnectionError(f"The answer of the batch was cut off after {len(answers)} lines.")
        for each in answers:
            if each["status"] == 200:
                yield each["id"], Answer(paths[each["id"]], each["body"], each["headers"])
            else:
                yield each["id"], Refused(each["status"], each["body"])

    def symbols(self) -> list[dict[str, Any]]:
        """Assets with prices, the days of their data and their markets."""
        return self._get_json("/symbols")["symbols"]

    def _answer(self, path: str, address: str, body: bytes, content: str, headers: Mapping[str, str]) -> Answer:
        _, text, sent = self._send("POST", address, body, {**headers, "content-type": content})
        return Answer(path, json.loads(text), sent)

    def _get_json(self, address: str) -> Any:
        return json.loads(self._send("GET", address)[1])

    def _send(
        self, method: str, address: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, Mapping[str, str]]:
        """Status, body and headers of a success. @raises Refused, or OSError where no connection is made"""
        key = {} if self._key is None else {"x-api-key": self._key}
        for tried in range(self._retries + 1):
            request = urllib.request.Request(self.url + address, body, {**key, **(headers or {})}, method=method)
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as response:
                    return response.status, response.read(), dict(response.headers)
            except urllib.error.HTTPError as error:
                text = error.read()
                asked = error.headers.get("retry-after")
                if error.code not in _WAIT or asked is None or not asked.isdigit() or tried == self._retries:
                    raise Refused(error.code, _problem(text)) from None
                seconds = float(asked)
            except (urllib.error.URLError, ConnectionError, HTTPException):
                if tried == self._retries:
                    raise
                seconds = 0.25 * 2**tried
            # Those that were turned away together do not come back together.
            self._pause(min(_LONGEST_PAUSE_SECONDS, seconds * (1 + 0.25 * random.random())))
        raise AssertionError("the last try returns or raises")


def _question_headers(seed: int | None, compute: str | None, market_data: str | None) -> dict[str, str]:
    values = {"x-seed": seed, "x-compute": compute, "x-market-data": market_data}
    return {name: str(value) for name, value in values.items() if value is not None}


def _address(path: str, include: Sequence[str], query: Mapping[str, Any]) -> str:
    members = {**({"include": ",".join(include)} if include else {}), **query}
    return f"{path}?{urlencode(members)}" if members else path


def _option(value: Any) -> Any:
    """Lists and maps as the query has them, with commas between."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={each}" for name, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _csv(frame: Any) -> str:
    if hasattr(frame, "to_csv"):
        return frame.to_csv(index=False)
    if hasattr(frame, "write_csv"):
        return frame.write_csv()
    raise TypeError(f"tape must be a DataFrame of pandas or Polars, or a text; got {type(frame).__name__}")


def _problem(text: bytes) -> Mapping[str, Any]:
    try:
        problem = json.loads(text)
    except ValueError:
        # A refusal of a proxy may be a text.
        return {}
    return problem if isinstance(problem, Mapping) else {}
