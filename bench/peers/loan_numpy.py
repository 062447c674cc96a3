"""A loan on baskets of assets in NumPy: what one would write for speed without a compiler.

Run: python3 loan_numpy.py PATHS REPS CHUNK < plan.json      (a plan of kind `loan` under GBM, written by the bench)

All paths of a chunk side by side, a loop over the hours, double precision, every buffer made once: normals from
numpy.random.Generator straight into their buffer, correlated by one matrix product, the states of the loans without a
branch. One thread. Prints one line of JSON: rate, and the mean of every figure for the bench to check.
"""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import json
import resource
import sys
import time

import numpy as np

NEVER = np.int32(2**31 - 1)
HOURS_PER_YEAR = 8760


class Loans:
    """Buffers for a chunk of paths, and the loop over the hours."""

    def __init__(self, plan, chunk):
        scenarios, product = plan["scenarios"], plan["product"]
        n = scenarios["assets"]
        dt = 1 / HOURS_PER_YEAR
        self.steps = product["steps"]
        self.top_up = product["topUpSteps"]
        self.ratio_at_start = product["nominalRatio"]
        ratios = ("marginCallRatio", "liquidationRatio", "recoveryRatio")
        self.call, self.fall, self.cure = (product[name] / self.ratio_at_start for name in ratios)
        self.factor = np.array(scenarios["factor"]).reshape(n, n) * np.sqrt(dt)
        self.drift = -(np.array(scenarios["annualVolatility"])[:, None] ** 2) * dt / 2
        self.collateral_weights = np.array(product["portfolio"]["collateralWeights"])
        self.loan_weights = np.array(product["portfolio"]["loanWeights"])
        self.normals, self.shocks, self.x, self.prices = (np.empty((n, chunk)) for _ in range(4))
        self.collateral, self.debt, self.ratio, self.lowest = (np.empty(chunk) for _ in range(4))
        self.deadline, self.new_deadline, self.end = (np.empty(chunk, np.int32) for _ in range(3))
        self.alive, self.below, self.falls, self.ends = (np.empty(chunk, bool) for _ in range(4))
        self.liquidated = np.empty(chunk, bool)

    def run(self, rng):
        """Sums of the figures over one chunk."""
        x, ratio = self.x, self.ratio
        x.fill(0)
        self.lowest.fill(np.inf)
        self.deadline.fill(NEVER)
        self.end.fill(self.steps)
        self.alive.fill(True)
        self.liquidated.fill(False)
        for t in range(1, self.steps + 1):
            rng.standard_normal(out=self.normals)
            np.matmul(self.factor, self.normals, out=self.shocks)
            self.shocks += self.drift
            x += self.shocks
            np.exp(x, out=self.prices)
            np.dot(self.collateral_weights, self.prices, out=self.collateral)
            np.dot(self.loan_weights, self.prices, out=self.debt)
            np.divide(self.collateral, self.debt, out=ratio)
            np.minimum(self.lowest, ratio, out=self.lowest)
            self.step(t)
        called = int((self.lowest < self.call).sum())
        return np.array(
            [
                called,
                int(self.liquidated.sum()),
                int((~self.alive).sum()) - int(self.liquidated.sum()),
                int((self.lowest < 1 / self.ratio_at_start).sum()),
                int(self.end.sum(dtype=np.int64)),
                float(np.maximum(0, 1 - self.ratio_at_start * ratio).sum()),
            ]
        )

    def step(self, t):
        """A fall through L ends the loan; a cure takes the deadline away, a new call sets it; a deadline ends it."""
        ratio = self.ratio
        np.greater_equal(ratio, self.cure, out=self.below)
        np.copyto(self.deadline, NEVER, where=self.below)
        np.less(ratio, self.call, out=self.below)
        self.new_deadline.fill(NEVER)
        np.copyto(self.new_deadline, np.int32(t + self.top_up), where=self.below)
        np.minimum(self.deadline, self.new_deadline, out=self.deadline)
        np.less(ratio, self.fall, out=self.falls)
        self.falls &= self.alive
        np.less_equal(self.deadline, t, out=self.ends)
        self.ends &= self.alive
        self.ends |= self.falls
        self.liquidated |= self.falls
        np.copyto(self.end, np.int32(t), where=self.ends)
        np.logical_not(self.ends, out=self.ends)
        self.alive &= self.ends


NAMES = ("marginCalls", "liquidations", "closeouts", "underwater", "openSteps", "loss")


def main():
    paths, reps, chunk = (int(text) for text in sys.argv[1:4])
    plan = json.load(sys.stdin)
    chunk = min(chunk, paths)
    chunks = paths // chunk
    loans = Loans(plan, chunk)
    total, seconds = np.zeros(len(NAMES)), []
    for rep in range(-1, reps):
        rng = np.random.Generator(np.random.PCG64(rep + 2))
        start = time.perf_counter()
        for _ in range(chunks):
            total += loans.run(rng)
        if rep >= 0:
            seconds.append(time.perf_counter() - start)
    pooled = chunks * chunk * (reps + 1)
    median = float(np.median(seconds))
    print(
        json.dumps(
            {
                "impl": f"NumPy {np.__version__} loan, chunk {chunk}",
                "threads": 1,
                "P": chunks * chunk,
                "median_s": round(median, 4),
                "pss": chunks * chunk * loans.steps / median,
                "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
                "paths_pooled": pooled,
                "figures": dict(zip(NAMES, (float(value) / pooled for value in total))),
            }
        )
    )


main()
