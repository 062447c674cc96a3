"""Typed client of the collateral-risk-engine.

`RiskClient` asks a server; `local_server` starts one of an installed npm package. Needs the standard library alone; tables of
answers need pandas or Polars.
"""

from .answer import Answer
from .client import Fault, Job, JobState, Refused, RiskClient
from .server import local_server

__all__ = ["Answer", "Fault", "Job", "JobState", "Refused", "RiskClient", "local_server"]
