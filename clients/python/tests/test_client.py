"""The client against a server: RISK_URL and API_KEY name one, on the sample market."""

import os
import unittest
from unittest import mock

import pandas as pd

from collateral_risk_engine import Answer, Fault, Refused, RiskClient, local_server

TERMS = {
    "collateral_weights": {"BTC": 0.6, "ETH": 0.4},
    "loan_weights": {"USD": 1},
    "analysis_date": "06-30-2024",
    "model_lookback": 90,
    "loan_duration": 30,
    "mc_top_up": 24,
    "loan_value": 250_000,
    "N": 1.5,
    "M": 1.3,
    "L": 1.1,
    "R": 1.4,
    "mc_iter": 1_000,
}
LOAN = {"type": "GBM", "params": TERMS}
TAPE = pd.DataFrame(
    {
        "Facility": ["007", "008"],
        "collateral_asset": ["BTC", "ETH"],
        "collateral_amount": [4.0, 60.0],
        "loan_asset": ["USD", "USD"],
        "loan_amount": [150_000, 100_000],
        "margin_call_ltv": [0.75, 0.75],
        "liquidation_ltv": [0.85, 0.85],
        "grace_hours": [24, 24],
    }
)


class Asked(unittest.TestCase):
    def setUp(self) -> None:
        self.risk = RiskClient(os.environ["RISK_URL"], os.environ["API_KEY"])

    def test_a_loan_has_figures_and_says_how_they_were_made(self) -> None:
        answer = self.risk.loan_risk(LOAN, seed=7, compute="cpu", include=["accuracy"])
        again = self.risk.loan_risk(LOAN, seed=7, compute="cpu", market_data=answer.market_data)
        self.assertEqual([answer.seed, answer.compute, answer.market_data], [7, "cpu", "sample"])
        self.assertEqual(answer.result, again.result)
        self.assertIn("Accuracy", answer)
        self.assertEqual(answer.to_frame().loc[0, "PrCloseout"], answer["Output"]["PrCloseout"])

    def test_value_at_risk_is_a_table_of_horizons_and_levels(self) -> None:
        exposure = {
            "collateral_weights": {"BTC": 1},
            "loan_weights": {"USD": 1},
            "analysis_date": "06-30-2024",
            "model_lookback": 90,
            "var_duration": [1, 10],
            "quantile": [0.95, 0.99],
            "loan_value": 600_000,
            "collateral_value": 1_000_000,
        }
        frame = self.risk.var({"type": "HISTORICAL", "params": exposure}).to_frame()
        self.assertEqual(list(frame.index), [(1, 0.95), (1, 0.99), (10, 0.95), (10, 0.99)])
        self.assertTrue((frame.NetExposureCVar <= frame.NetExposureVar).all())

    def test_advance_rates_are_a_table_of_hours_and_what_is_given(self) -> None:
        params = {
            "collateral_weights": {"BTC": 1},
            "loan_weights": {"USD": 1},
            "analysis_date": "06-30-2024",
            "model_lookback": 90,
            "mc_iter": 1_000,
            "exposure_hours": [24, 48],
            "confidence": [0.95],
            "advance_rate": [0.8],
        }
        frame = self.risk.advance_rate({"type": "GBM", "params": params}).to_frame()
        self.assertEqual(frame.index.names, ["horizon", "given", "level"])
        self.assertEqual(list(frame.index)[:2], [(24, "Confidence", 0.95), (24, "AdvanceRate", 0.8)])
        self.assertLess(frame.loc[(48, "Confidence", 0.95), "AdvanceRate"], 1)

    def test_an_account_is_a_table_of_positions(self) -> None:
        positions = [{"id": "btc", "market": "BTC", "Funding": -1.5}, {"id": "eth", "market": "ETH", "Funding": 2}]
        answer = Answer("/cross_perp_risk", {"Results": {"PrLiquidation": 0.1, "Positions": positions}}, {})
        self.assertEqual(answer.tables, ["positions"])
        self.assertEqual(answer.to_frame().loc["eth", "Funding"], 2)

    def test_a_frame_is_a_tape_and_its_answer_a_frame_of_loans(self) -> None:
        answer = self.risk.book(TAPE, columns={"Facility": "loan_id"}, type="GBM", mc_iter=1000, days=7)
        self.assertEqual(list(answer.to_frame().index), ["007", "008"])
        self.assertEqual(answer.to_frame("book").loc[0, "LoanValue"], 250_000)
        with self.assertRaisesRegex(ValueError, "has no table 'scenarios', but loans, book, figures"):
            answer.to_frame("scenarios")

    def test_a_refusal_has_every_fault_with_its_member(self) -> None:
        with self.assertRaises(Refused) as caught:
            self.risk.loan_risk({"type": "GBM", "params": {**TERMS, "N": -1, "mc_top_up": "a day"}})
        self.assertEqual(caught.exception.status, 422)
        self.assertEqual([each.path for each in caught.exception.faults], ["params.mc_top_up", "params.N"])
        self.assertIsInstance(caught.exception.faults[0], Fault)
        with self.assertRaises(Refused) as caught:
            self.risk.book(TAPE.assign(collateral_amount=["4", "many"]), columns={"Facility": "loan_id"})
        self.assertEqual([each.path for each in caught.exception.faults], ["line.3.collateral_amount"])

    def test_a_job_tells_its_states_and_its_result_is_that_of_the_question(self) -> None:
        job = self.risk.job("/loan_risk", LOAN, seed=3, compute="cpu")
        states = list(job)
        self.assertEqual(states[-1].state, "done")
        self.assertEqual(states[-1].share_done, 1)
        self.assertEqual(job.result().result, self.risk.loan_risk(LOAN, seed=3, compute="cpu").result)

    def test_an_interruption_cancels_the_job(self) -> None:
        long = {"type": "GBM", "params": {**TERMS, "mc_iter": 5_000_000, "loan_duration": 365}}
        job = self.risk.job("/loan_risk", long, compute="cpu")
        with mock.patch.object(self.risk, "_pause", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                job.result()
        self.assertEqual([each.state for each in job][-1], "cancelled")

    def test_a_batch_refuses_a_faulty_line_alone(self) -> None:
        lines = [
            {"id": "right", "path": "/loan_risk", "body": LOAN, "seed": 7},
            {"id": "wrong", "path": "/loan_risk", "body": {"type": "GBM", "params": {**TERMS, "N": -1}}},
        ]
        answers = dict(self.risk.batch(lines))
        self.assertIsInstance(answers["right"], Answer)
        self.assertEqual([each.path for each in answers["wrong"].faults], ["params.N"])

    def test_it_waits_as_long_as_the_server_asks_and_gives_up_after_its_tries(self) -> None:
        pauses: list[float] = []
        busy = RiskClient(os.environ["RISK_URL"] + "/nothing", "a key", retries=2)
        busy._pause = pauses.append
        answer = mock.Mock(code=429, headers={"retry-after": "3"}, read=lambda: b'{"detail": "wait"}')
        with mock.patch("urllib.request.urlopen", side_effect=_failure(answer)):
            with self.assertRaisesRegex(Refused, "wait"):
                busy.symbols()
        self.assertEqual(len(pauses), 2)
        self.assertTrue(all(3 <= pause <= 3.75 for pause in pauses), pauses)


def _failure(answer: mock.Mock) -> Exception:
    from urllib.error import HTTPError

    error = HTTPError("http://server", answer.code, "busy", answer.headers, None)
    error.read = answer.read
    return error


class Started(unittest.TestCase):
    @unittest.skipUnless("RISK_COMMAND" in os.environ, "RISK_COMMAND names the command of a server")
    def test_a_server_runs_for_a_block(self) -> None:
        command = os.environ["RISK_COMMAND"].split(" ")
        with local_server(command=command, environment={"COMPUTE": "cpu"}) as risk:
            self.assertIn("BTC", [each["symbol"] for each in risk.symbols()])
        with self.assertRaises(OSError):
            RiskClient(risk.url, retries=0).symbols()

    def test_a_server_that_does_not_start_says_why(self) -> None:
        with self.assertRaisesRegex(RuntimeError, "no such market"):
            with local_server(command=["sh", "-c", "echo no such market; exit 1"]):
                pass

    def test_a_package_that_is_not_installed_is_named(self) -> None:
        with mock.patch("shutil.which", return_value=None), mock.patch("pathlib.Path.exists", return_value=False):
            with self.assertRaisesRegex(FileNotFoundError, "npm install collateral-risk-engine"):
                with local_server():
                    pass


if __name__ == "__main__":
    unittest.main()
