"""A cross-margined account in NumPy: what one would write for speed without a compiler.

Run: python3 account_numpy.py PATHS REPS CHUNK < plan.json   (a plan of kind `account` under GBM, written by the bench)

Linear positions in USD on collateral in USD, tiers, constant funding, touches within the hour, and everything closed at once: the rules of
docs/accounts.md for such an account, without rows that close one by one. All paths of a chunk side by side, a loop over the hours, double
precision, every large buffer made once; a path that has ended is computed further and ignored. One thread. Prints one line of JSON: rate, and the
mean of every figure for the bench to check.
"""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import json
import sys
import time

import numpy as np

HOURS_PER_YEAR = 8760
REACH = 4


class Accounts:
    """Buffers for a chunk of paths, and the loop over the hours."""

    def __init__(self, plan, chunk):
        scenarios, product = plan["scenarios"], plan["product"]
        venue, rows = product["venue"], product["rows"]
        (currency,) = product["currencies"]
        n = scenarios["assets"]
        supported = (
            venue["close"]["rule"] == "all"
            and currency["asset"] == n
            and not product["processes"]
            and not venue["reserveFee"]
            and not any(row["inverse"] or row["coin"] for row in rows)
            and [row["asset"] for row in rows] == list(range(n))
        )
        if not supported:
            raise SystemExit("account_numpy.py has linear rows in USD, one an asset, and the rule `all`")
        self.steps = product["steps"]
        self.collateral = currency["balance"]
        self.ratio, self.bridge = product["marginCallRatio"], product["bridgeVariance"]
        self.fee, self.slippage = venue["feeRate"], product["slippage"]
        column = lambda name: np.array([row[name] for row in rows])[:, None]
        self.exposure = column("quantity") * column("markPrice")
        self.offset = column("quantity") * (column("markPrice") - column("entryPrice"))
        self.rate = -np.array([row["fundingRate"] for row in rows]) * np.sign(self.exposure[:, 0])
        self.interval = np.array([row["fundingIntervalHours"] for row in rows])
        most = max(len(row["tiers"]) for row in rows)
        # A row with fewer tiers repeats its last one.
        tier = lambda name: [
            np.array([row["tiers"][min(k, len(row["tiers"]) - 1)][name] for row in rows])[:, None] for k in range(most)
        ]
        self.rates, self.deductions = tier("rate"), tier("deduction")
        self.factor = np.array(scenarios["factor"]).reshape(n, n) * np.sqrt(1 / HOURS_PER_YEAR)
        self.covariance = self.factor @ self.factor.T
        self.deviation = np.sqrt(np.diag(self.covariance))[:, None]
        self.drift = -np.diag(self.covariance)[:, None] / 2
        matrices = (np.empty((n, chunk)) for _ in range(8))
        self.normals, self.shocks, self.x, self.prices, self.notional, self.margin, self.line, self.slopes = matrices
        self.leverage = np.empty((self.steps + 1, chunk))
        self.chunk = chunk

    def margins(self, prices):
        """Maintenance of every row; notionals stay in self.notional."""
        np.multiply(np.abs(self.exposure), prices, out=self.notional)
        self.margin.fill(0)
        for rate, deduction in zip(self.rates, self.deductions):
            np.multiply(self.notional, rate, out=self.line)
            self.line -= deduction
            np.maximum(self.margin, self.line, out=self.margin)
        return self.margin.sum(0)

    def profits(self, prices):
        return ((self.exposure * (prices - 1)) + self.offset).sum(0)

    def form_slopes(self, prices):
        """dE / d ln S - dM / d ln S."""
        np.multiply(np.abs(self.exposure), prices, out=self.notional)
        best = np.full_like(self.notional, -np.inf)
        rates = np.zeros_like(self.notional)
        for rate, deduction in zip(self.rates, self.deductions):
            line = self.notional * rate - deduction
            np.copyto(rates, rate, where=line > best)
            np.maximum(best, line, out=best)
        np.multiply(self.exposure, prices, out=self.slopes)
        self.slopes -= rates * self.notional

    def close(self, where, prices, cash, equity):
        """Closes everything on some paths: slippage, then a fee of what is left; a debt is the fund's."""
        notional = (np.abs(self.exposure) * prices[:, where]).sum(0)
        worth = cash[where] + self.profits(prices[:, where]) - self.slippage * notional
        worth -= np.minimum(self.fee * notional, np.maximum(worth, 0))
        equity[where] = np.maximum(worth, 0)

    def run(self, rng):
        """Sums of the figures over one chunk."""
        chunk, prices = self.chunk, self.prices
        self.x.fill(0)
        prices.fill(1)
        cash = np.full(chunk, float(self.collateral))
        paid = np.zeros(chunk)
        required = self.margins(prices)
        equity = cash + self.profits(prices)
        start = equity.copy()
        peak, drawdown = equity.copy(), np.zeros(chunk)
        open_, called, ended = np.ones(chunk, bool), np.zeros(chunk, bool), np.zeros(chunk, bool)
        self.leverage.fill(np.nan)
        self.leverage[0] = self.notional.sum(0) / equity
        for t in range(1, self.steps + 1):
            before, d0 = prices.copy(), equity - required
            c0 = equity - required / self.ratio
            rng.standard_normal(out=self.normals)
            np.matmul(self.factor, self.normals, out=self.shocks)
            self.shocks += self.drift
            self.x += self.shocks
            np.exp(self.x, out=prices)
            required = self.margins(prices)
            total = self.notional.sum(0)
            now = cash + self.profits(prices)
            touched = np.zeros(chunk, bool)
            if self.bridge > 0:
                touched = self.touch(rng, before, cash, d0, c0, now, required, open_, called, equity)
            due = t % self.interval == 0
            if due.any():
                flow = (np.abs(self.exposure) * prices * (self.rate * due)[:, None]).sum(0)
                flow[~open_ | touched] = 0
                cash += flow
                paid += flow
                now = now + flow
            live = open_ & ~touched
            called |= live & (now <= required / self.ratio)
            below = live & (now <= required)
            np.copyto(equity, now, where=live)
            if below.any():
                self.close(below, prices, cash, equity)
            ended |= touched | below
            open_ &= ~ended
            np.maximum(peak, equity, out=peak)
            np.minimum(drawdown, equity - peak, out=drawdown)
            np.copyto(self.leverage[t], total / np.where(open_, now, 1), where=open_)
        called |= ended
        medians = np.nanmedian(self.leverage, axis=0)
        figures = (called.sum(), ended.sum(), equity.sum() - start.sum(), paid.sum(), drawdown.sum(), medians.sum())
        return np.array([float(figure) for figure in figures])

    def touch(self, rng, before, cash, d0, c0, now, required, open_, called, equity):
        """Touches within the hour; closes at the prices of the touch. Returns the paths."""
        d1, c1 = now - required, now - required / self.ratio
        self.form_slopes(before)
        nearest = np.where(called, np.minimum(d0, d1), np.minimum(c0, c1))
        reach = REACH * np.sqrt(self.bridge) * (np.abs(self.slopes) * self.deviation).sum(0)
        near = np.flatnonzero(open_ & (nearest <= reach))
        touched = np.zeros(len(d0), bool)
        if near.size == 0:
            return touched
        slopes = self.slopes[:, near]
        spread = self.covariance @ slopes
        variance = (slopes * spread).sum(0)
        logs = -2 * self.bridge * variance * np.log(1 - rng.random(near.size))
        lowest = lambda a, b: (a + b - np.sqrt((b - a) ** 2 + logs)) / 2
        called[near] |= lowest(c0[near], c1[near]) <= 0
        hit = (d0[near] > 0) & (lowest(d0[near], d1[near]) <= 0)
        paths = near[hit]
        if paths.size == 0:
            return touched
        a, b = d0[paths], d1[paths]
        fall = np.where(b > 0, 2 * a * b / ((a + np.abs(b)) * variance[hit]), 0)
        at = before[:, paths] * np.exp(
            a / (a + np.abs(b)) * np.log(self.prices[:, paths] / before[:, paths]) - spread[:, hit] * fall
        )
        everywhere = np.ones((at.shape[0], len(d0)))
        everywhere[:, paths] = at
        touched[paths] = True
        self.close(touched, everywhere, cash, equity)
        return touched


NAMES = ("marginCalls", "liquidations", "gain", "accumulatedFunding", "maxEquityDrawdown", "medianLeverage")


def main():
    paths, reps, chunk = (int(text) for text in sys.argv[1:4])
    plan = json.load(sys.stdin)
    chunk = min(chunk, paths)
    chunks = paths // chunk
    accounts = Accounts(plan, chunk)
    total, seconds = np.zeros(len(NAMES)), []
    for rep in range(-1, reps):
        rng = np.random.Generator(np.random.PCG64(rep + 2))
        start = time.process_time()
        for _ in range(chunks):
            total += accounts.run(rng)
        if rep >= 0:
            seconds.append(time.process_time() - start)
    pooled = chunks * chunk * (reps + 1)
    fastest = min(seconds)
    print(
        json.dumps(
            {
                "impl": f"NumPy {np.__version__} account, chunk {chunk}",
                "threads": 1,
                "P": chunks * chunk,
                "median_s": round(float(np.median(seconds)), 4),
                "fastest_s": round(fastest, 4),
                "pss": chunks * chunk * accounts.steps / fastest,
                "paths_pooled": pooled,
                "figures": dict(zip(NAMES, (float(value) / pooled for value in total))),
            }
        )
    )


main()
