"""A book of loans in NumPy: what one would write for speed without a compiler.

Run: python3 book_numpy.py PATHS CHUNK < plan.json      (a plan of kind `book` under GBM, written by the bench)

All loans of a book along all paths of a chunk side by side, a loop over the hours, double precision: prices by one matrix product,
ratios of baskets by another, states without a branch; sales are looked up when they are due. One thread. Prints one line of JSON:
seconds, and mean and standard error of every figure for the bench to check.
"""

import os

for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import json
import sys
import time

import numpy as np

NEVER = np.int32(2**31 - 1)
HOURS_PER_YEAR = 8760
NAMES = ("loss", "unsold", "calledLoans", "forcedSales", "sold", "peakDay")


def run(plan, chunk, rng):
    """The figures of one chunk of paths, a row each."""
    scenarios, product = plan["scenarios"], plan["product"]
    n, steps, delay = scenarios["assets"], product["steps"], product["saleDelaySteps"]
    dt = 1 / HOURS_PER_YEAR
    factor = np.array(scenarios["factor"]).reshape(n, n) * np.sqrt(dt)
    drift = -(np.array(scenarios["annualVolatility"])[:, None] ** 2) * dt / 2
    collateral_weights = np.array(product["collateralWeights"]).reshape(-1, n)
    loan_weights = np.array(product["loanWeights"]).reshape(-1, n)
    basket = np.array(product["basket"])
    nominal, value = np.array(product["nominalRatio"])[:, None], np.array(product["loanValue"])[:, None]
    call, fall, cure = (
        np.array(product[name])[:, None] / nominal
        for name in ("marginCallRatio", "liquidationRatio", "recoveryRatio")
    )
    top_up, term = np.array(product["topUpSteps"], np.int32)[:, None], np.array(product["termSteps"])[:, None]
    after_cost = 1 - product["saleCost"]
    loans = len(basket)
    own = len(collateral_weights) == loans
    x = np.zeros((n, chunk))
    normals = np.empty((n, chunk))
    deadline = np.full((loans, chunk), NEVER)
    sale = np.full((loans, chunk), NEVER)
    alive = np.ones((loans, chunk), bool)
    called = np.zeros((loans, chunk), bool)
    loss, unsold = np.zeros(chunk), np.zeros(chunk)
    sold_at = np.zeros((steps, chunk))
    last_term = int(term.max())
    for t in range(1, steps + 1):
        rng.standard_normal(out=normals)
        x += factor @ normals + drift
        prices = np.exp(x)
        collateral, debt = collateral_weights @ prices, loan_weights @ prices
        if t <= last_term:
            ratio = collateral / debt
            if not own:
                ratio = ratio[basket]
            open_now = alive & (t <= term)
            deadline[ratio >= cure] = NEVER
            below = ratio < call
            called |= below & (t <= term)
            deadline = np.where(below, np.minimum(deadline, np.int32(t) + top_up), deadline)
            ends = open_now & ((ratio < fall) | (deadline <= t))
            sale[ends] = t + delay
            alive &= ~ends
            under = np.nonzero((term == t) & (nominal * ratio < 1))
            if under[0].size:
                k, p = under
                owed = value[k, 0] * debt[basket[k], p]
                held = nominal[k, 0] * value[k, 0] * collateral[basket[k], p]
                np.add.at(unsold, p, owed - held)
                kept = alive[k, p]
                np.add.at(loss, p[kept], np.maximum(0, owed - after_cost * held)[kept])
        k, p = np.nonzero(sale == t)
        if k.size:
            owed = value[k, 0] * debt[basket[k], p]
            held = nominal[k, 0] * value[k, 0] * collateral[basket[k], p]
            np.add.at(sold_at[t - 1], p, held)
            np.add.at(loss, p, np.maximum(0, owed - after_cost * held))
    totals = np.cumsum(np.vstack([np.zeros(chunk), sold_at]), axis=0)
    width = min(product["daySteps"], steps)
    return np.vstack(
        [
            loss,
            unsold,
            called.sum(axis=0),
            (~alive).sum(axis=0),
            totals[-1],
            (totals[width:] - totals[:-width]).max(axis=0),
        ]
    )


def main():
    paths, chunk = (int(text) for text in sys.argv[1:3])
    plan = json.load(sys.stdin)
    rng = np.random.Generator(np.random.PCG64(1))
    start = time.perf_counter()
    rows = np.hstack([run(plan, chunk, rng) for _ in range(paths // chunk)])
    seconds = time.perf_counter() - start
    count = rows.shape[1]
    print(
        json.dumps(
            {
                "impl": f"NumPy {np.__version__}",
                "paths": count,
                "seconds": seconds,
                "figures": {
                    name: {"mean": float(row.mean()), "standardError": float(row.std(ddof=1) / np.sqrt(count))}
                    for name, row in zip(NAMES, rows)
                },
            }
        )
    )


main()
