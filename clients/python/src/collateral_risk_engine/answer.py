"""An answer as a mapping, and as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Row = dict[str, Any]

#: Tables of answers: the member of the result, and the column that its names become; of a list the column that names a row.
TABLES = {
    "loans": ("Loans", "loan"),
    "borrowers": ("Borrowers", "borrower"),
    "assets": ("Assets", "asset"),
    "scenarios": ("Scenarios", "scenario"),
    "positions": ("Positions", "id"),
    "levels": ("Levels", "level"),
}


def _flat(value: Mapping[str, Any], prefix: str = "") -> Row:
    """One row: names of nested members are joined by points."""
    row: Row = {}
    for name, each in value.items():
        if isinstance(each, Mapping):
            row.update(_flat(each, f"{prefix}{name}."))
        else:
            row[prefix + name] = each
    return row


def _number(text: str) -> Any:
    try:
        return int(text) if text.isdigit() else float(text)
    except ValueError:
        return text


class Answer(Mapping[str, Any]):
    """The body of an answer, with the headers that say how it was made.

    `answer["Output"]["PrLiquidation"]` reads a member, `answer.result` the figures, `answer.to_frame()` a table.
    """

    def __init__(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.path = path
        self.body = body
        self.headers = {name.lower(): value for name, value in headers.items()}

    def __getitem__(self, name: str) -> Any:
        return self.body[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.body)

    def __len__(self) -> int:
        return len(self.body)

    def __repr__(self) -> str:
        return f"Answer({self.path}, seed={self.seed}, compute={self.compute}, members={list(self.body)})"

    @property
    def result(self) -> Mapping[str, Any]:
        """The figures: the member `Output`, of perpetuals `Results`."""
        return self.body["Results"] if "Results" in self.body else self.body["Output"]

    @property
    def seed(self) -> int:
        """Seed of the random numbers: the same one gives the same paths."""
        return int(self.headers.get("x-seed", 0))

    @property
    def compute(self) -> str | None:
        """Engine that answered: `cpu` or `gpu`."""
        return self.headers.get("x-compute")

    @property
    def market_data(self) -> str | None:
        """Version of the market data; `market_data=` of a later request pins it."""
        return self.headers.get("x-market-data")

    @property
    def warnings(self) -> list[str]:
        """Codes of the warnings; `include=["warnings"]` adds their texts to the body."""
        sent = self.headers.get("x-warnings", "")
        return [code for code in sent.split(",") if code]

    @property
    def tables(self) -> list[str]:
        """Names of the tables that `rows` and `to_frame` can make of this answer; the first one is the default."""
        result = self.result
        names = [name for name, (member, _) in TABLES.items() if isinstance(result.get(member), (Mapping, list))]
        if "Book" in result:
            names.append("book")
        if any(_is_horizon(name, each) for name, each in result.items()):
            names.append("horizons")
        if "Daily" in result:
            names.append("daily")
        return names if names else ["figures"]

    def rows(self, table: str | None = None) -> list[Row]:
        """Rows of a table, each with its name or its horizon and level first.

        :param table: one of `tables`, or `figures`: the whole result as one row
        :raises ValueError: where the answer has no such table
        """
        name = self.tables[0] if table is None else table
        result = self.result
        if name == "figures":
            return [_flat(result)]
        if name not in self.tables:
            raise ValueError(f"{self.path} has no table {name!r}, but {', '.join([*self.tables, 'figures'])}")
        if name == "book":
            return [_flat(result["Book"])]
        if name == "daily":
            columns = _flat(result["Daily"])
            return [dict(zip(columns, cells)) for cells in zip(*columns.values())]
        if name == "horizons":
            return [
                row
                for horizon, levels in result.items()
                if _is_horizon(horizon, levels)
                for row in _horizon_rows(horizon, levels)
            ]
        member, column = TABLES[name]
        if isinstance(result[member], list):
            return [_flat(each) for each in result[member]]
        return [{column: key, **_flat(figures)} for key, figures in result[member].items()]

    def to_frame(self, table: str | None = None, library: str = "pandas") -> Any:
        """A table of the answer as a DataFrame.

        :param table: see `rows`
        :param library: `pandas`, whose index is the name of each row, or `polars`
        :raises ValueError: where the answer has no such table, or the library is another
        """
        rows = self.rows(table)
        if library == "polars":
            import polars

            return polars.DataFrame(rows)
        if library != "pandas":
            raise ValueError(f"library must be pandas or polars; got {library!r}")
        import pandas

        frame = pandas.DataFrame(rows)
        name = self.tables[0] if table is None else table
        names = ["horizon", "given", "level"] if name == "horizons" else [TABLES[name][1]] if name in TABLES else []
        index = [each for each in names if each in frame]
        return frame.set_index(index) if index and len(frame) else frame


def _is_horizon(name: str, value: Any) -> bool:
    """A horizon in days or hours with its levels."""
    return isinstance(_number(name), (int, float)) and isinstance(value, Mapping)


def _horizon_rows(horizon: str, levels: Mapping[str, Any]) -> Iterator[Row]:
    """A row for each level; of /advance_rate, for each confidence, mean loss and rate that is given."""
    common = {name: each for name, each in levels.items() if not isinstance(each, Mapping)}
    for name, each in levels.items():
        if not isinstance(each, Mapping):
            continue
        if all(isinstance(figures, Mapping) for figures in each.values()):
            for level, figures in each.items():
                yield {"horizon": _number(horizon), "given": name, "level": _number(level), **common, **_flat(figures)}
        else:
            yield {"horizon": _number(horizon), "level": _number(name), **common, **_flat(each)}
