"""Figures of loans that have no closed form, by Monte Carlo with NumPy's own generator.

Takes a plan of the bench as JSON on standard input ({"plan": ..., "paths": ..., "seed": ...}); gives mean and standard
deviation per path of every figure as JSON. Written for clearness, path arrays side by side, in double precision; shares
nothing with the engines. Needs numpy. Run by make-known-figures.ts.
"""

import json
import sys

import numpy as np

CHUNK = 20_000
DT = 1 / 8760


def log_prices(scenarios, steps, paths, rng):
    """Yields the log prices of all assets after each hour, an array of assets x paths."""
    n = scenarios["assets"]
    factor = np.array(scenarios["factor"]).reshape(n, n)
    x = np.zeros((n, paths))
    if scenarios["kind"] == "gbm":
        volatility = np.array(scenarios["annualVolatility"])[:, None]
        for _ in range(steps):
            shock = factor @ rng.standard_normal((n, paths))
            x += -(volatility**2) * DT / 2 + np.sqrt(DT) * shock
            yield x
        return
    omega, alpha, beta, first = (
        np.array(scenarios[key])[:, None] for key in ("omega", "alpha", "beta", "firstVariance")
    )
    scale = scenarios["volatilityScale"]
    variance = np.repeat(first, paths, axis=1)
    day_sum = np.zeros((n, paths))
    for step in range(steps):
        hourly = np.sqrt(variance / 24) * (factor @ rng.standard_normal((n, paths)))
        x += scale * hourly - scale**2 * variance / 48
        day_sum += hourly
        if step % 24 == 23:
            variance = omega + alpha * day_sum**2 + beta * variance
            day_sum[:] = 0
        yield x


def baskets(product, x):
    """Collateral and loan value, relative to the start."""
    prices = np.exp(x)
    portfolio = product["portfolio"]
    return np.array(portfolio["collateralWeights"]) @ prices, np.array(portfolio["loanWeights"]) @ prices


def loan(product, scenarios, paths, rng):
    """A loan that is sold at once when it is liquidated or closed out."""
    steps = product["steps"]
    n, m, l, r = (product[key] for key in ("nominalRatio", "marginCallRatio", "liquidationRatio", "recoveryRatio"))
    alive = np.ones(paths, bool)
    open_call = np.zeros(paths, bool)
    deadline = np.zeros(paths, int)
    called, liquidated, closed_out, underwater = (np.zeros(paths, bool) for _ in range(4))
    end_step = np.full(paths, steps)
    for t, x in enumerate(log_prices(scenarios, steps, paths, rng), 1):
        collateral, debt = baskets(product, x)
        ccr = n * collateral / debt
        underwater |= ccr < 1
        falls = alive & (ccr < l)
        open_call &= ~(ccr >= r)
        calls = alive & ~falls & ~open_call & (ccr < m)
        deadline[calls] = t + product["topUpSteps"]
        open_call |= calls
        closes = alive & ~falls & open_call & (t >= deadline)
        called |= calls | falls
        liquidated |= falls
        closed_out |= closes
        end_step[falls | closes] = t
        alive &= ~(falls | closes)
    return {
        "marginCalls": called,
        "liquidations": liquidated,
        "closeouts": closed_out,
        "underwater": underwater,
        "openSteps": end_step,
        "loss": np.maximum(0, 1 - ccr),
    }


def capped_loan(product, scenarios, paths, rng):
    """A loan whose collateral is sold at no more than a capacity per hour, in units of the initial loan."""
    n, m, l, r = (product[key] for key in ("nominalRatio", "marginCallRatio", "liquidationRatio", "recoveryRatio"))
    capacity = product["capacityPerStep"]
    collateral_units = np.full(paths, n)
    debt_units = np.ones(paths)
    alive = np.ones(paths, bool)
    in_sale, open_call = np.zeros(paths, bool), np.zeros(paths, bool)
    deadline = np.zeros(paths, int)
    called, liquidated, closed_out, underwater = (np.zeros(paths, bool) for _ in range(4))
    calls_made, call_amount, sold = np.zeros(paths), np.zeros(paths), np.zeros(paths)
    for t, x in enumerate(log_prices(scenarios, product["steps"], paths, rng), 1):
        collateral_price, debt_price = baskets(product, x)
        collateral_usd = collateral_units * collateral_price
        debt_usd = debt_units * debt_price
        ccr = np.divide(collateral_usd, debt_usd, out=np.full(paths, np.inf), where=debt_usd > 0)
        underwater |= alive & (ccr < 1)
        waiting = alive & ~in_sale
        falls = waiting & (ccr < l)
        liquidated |= falls | (alive & in_sale & (ccr < l))
        cured = waiting & ~falls & open_call & (ccr >= r)
        calls = waiting & ~falls & (~open_call | cured) & (ccr < m)
        new_calls = (calls & ~cured) | (falls & ~open_call)
        calls_made += new_calls
        call_amount += np.where(new_calls, np.maximum(0, r * debt_usd - collateral_usd), 0)
        open_call = (open_call & ~cured) | calls
        deadline[calls] = t + product["topUpSteps"]
        called |= calls | falls
        closes = waiting & ~falls & open_call & (t >= deadline)
        closed_out |= closes
        in_sale |= falls | closes
        selling = alive & in_sale
        sale = np.where(selling, np.minimum(capacity, np.minimum(collateral_usd, debt_usd)), 0)
        sold += sale
        collateral_units -= sale / collateral_price
        debt_units -= sale / debt_price
        repaid = selling & (sale == debt_usd)
        emptied = selling & ~repaid & (sale == collateral_usd)
        underwater |= emptied
        alive &= ~(repaid | emptied)
    return {
        "marginCalls": called,
        "liquidations": liquidated,
        "closeouts": closed_out,
        "underwater": underwater,
        "calls": calls_made,
        "callAmount": call_amount,
        "sellers": sold > 0,
        "soldAmount": sold,
    }


def main():
    sent = json.load(sys.stdin)
    plan, paths = sent["plan"], sent["paths"]
    product, scenarios = plan["product"], plan["scenarios"]
    run = loan if product["kind"] == "loan" else capped_loan
    rng = np.random.default_rng(sent["seed"])
    sums, squares = {}, {}
    for first in range(0, paths, CHUNK):
        for name, values in run(product, scenarios, min(CHUNK, paths - first), rng).items():
            sums[name] = sums.get(name, 0) + float(np.sum(values, dtype=float))
            squares[name] = squares.get(name, 0) + float(np.sum(np.square(values, dtype=float)))
    figures = {}
    for name, total in sums.items():
        mean = total / paths
        figures[name] = {"mean": mean, "deviation": float(np.sqrt(squares[name] / paths - mean**2))}
    print(json.dumps({"paths": paths, "figures": figures}))


main()
