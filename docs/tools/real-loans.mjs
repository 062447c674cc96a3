/**
 * Two pools of loans that the public knows of, replayed through real prices: the tables of docs/real-loans.md.
 *
 * Usage: MARKET_DB=<store with hours of BTC> node docs/tools/real-loans.mjs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Pool of Ledn Issuer Trust 2026-1 at its cut-off, as its summary has it. */
export const LEDN = {
  loans: 5441,
  loanUsd: 199.1e6,
  collateralBtc: 4078.87,
  interest: 0.118,
  liquidationLtv: 0.8,
  /** Price at which the collateral makes the mean LTV of 55.78 % by value. */
  meanLtv: 0.5578,
};
const SEED = 20260115;
const HOURS = 44 * 24;

/** Uniform numbers in (0, 1): mulberry32. */
function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32 + 2 ** -33;
  };
}

const normal = next => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
const sum = values => values.reduce((a, b) => a + b, 0);

/**
 * Loans whose number, debt, collateral and mean LTV are those of the pool: sizes are lognormal, LTVs normal, cut at 30 and 78 %.
 *
 * @param spread standard deviation of the LTVs at the cut-off
 */
export function lednPool(spread) {
  const next = uniforms(SEED);
  const sizes = Array.from({ length: LEDN.loans }, () => Math.exp(1.2 * normal(next)));
  const scale = LEDN.loanUsd / sum(sizes);
  const usd = sizes.map(size => scale * size);
  const price = LEDN.loanUsd / LEDN.collateralBtc / LEDN.meanLtv;
  const drawn = usd.map(() => Math.min(0.78, Math.max(0.3, LEDN.meanLtv + spread * normal(next))));
  // One factor brings the sum of the collateral to that of the pool.
  const factor = sum(usd.map((each, i) => each / drawn[i] / price)) / LEDN.collateralBtc;
  return usd.map((each, i) => ({
    id: `loan-${i}`,
    usd: each,
    btc: each / (drawn[i] * factor) / price,
    days: 45 + Math.floor(320 * next()),
  }));
}

const book = loans => ({
  model_lookback: 30,
  mc_iter: 0,
  quantile: [0.99],
  sale_delay: 1,
  sale_cost: 0.01,
  loans,
});

/** The replay of the pool under borrowers who answer a share of their calls. @param ask what answers a body of /stress */
export async function lednReplay(ask, spread, share) {
  const loans = lednPool(spread).map(({ id, usd, btc, days }) => ({
    id,
    collateral: { BTC: btc },
    loan: { USD: usd },
    loan_duration: days,
    interest_rate: LEDN.interest,
    margin_call_ltv: 0.7,
    recovery_ltv: 0.65,
    liquidation_ltv: LEDN.liquidationLtv,
    // No call is closed out: the pool sells at its liquidation LTV only.
    mc_top_up: 8760,
    ...(share > 0 && { top_up: { share, delay_hours: 24, to_ltv: 0.6 } }),
  }));
  const scenarios = [{ name: 'winter', replay: { from: '2026-01-15T00:00Z', hours: HOURS } }];
  const answer = await ask({
    type: 'GBM',
    params: { ...book(loans), analysis_date: '01-14-2026', scenarios },
  });
  const { base, winter } = answer.Output.Scenarios;
  return { ltv: base.Ltv, prices: answer.Arguments.prices, ...winter.Replay };
}

/** Loans against bitcoin with LTVs from 40 to 79 %, liquidated at 86 %, as on Coinbase. @param answers whether borrowers answer */
export async function coinbaseReplay(ask, window, answers) {
  const next = uniforms(SEED);
  const loans = Array.from({ length: 2000 }, (_, i) => ({
    id: `loan-${i}`,
    collateral_weights: { BTC: 1 },
    loan_weights: { USD: 1 },
    loan_value: 1000,
    initial_ltv: 0.4 + 0.39 * next(),
    margin_call_ltv: 0.8,
    recovery_ltv: 0.79,
    liquidation_ltv: 0.86,
    loan_duration: 30,
    mc_top_up: 720,
    // A liquidator takes 4.38 % at once.
    sale_cost: 0.0438 / 1.0438,
    ...(answers && { top_up: { share: 0.7, delay_hours: 2, to_ltv: 0.74 } }),
  }));
  const params = { ...book(loans), sale_delay: 0, analysis_date: '01-14-2026', scenarios: [window] };
  return (await ask({ type: 'GBM', params })).Output.Scenarios[window].Replay;
}

const percent = (part, of) => `${((100 * part) / of).toFixed(1)} %`;
const millions = usd => (usd / 1e6).toFixed(2);
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n');

/** The tables by their names. */
export async function realLoanTables(ask) {
  const rows = [];
  for (const spread of [0.05, 0.1])
    for (const share of [0, 0.3, 0.5, 0.7, 0.9]) {
      const { Called, Liquidated, ToppedUpUsd, ForcedSaleUsd, Loss, Lowest } = await lednReplay(
        ask,
        spread,
        share,
      );
      rows.push([
        percent(spread, 1),
        percent(share, 1),
        percent(Called, LEDN.loans),
        percent(Liquidated, LEDN.loans),
        millions(ForcedSaleUsd),
        millions(ToppedUpUsd),
        millions(Loss),
        percent(1, Lowest),
      ]);
    }
  const ledn = table(
    [
      'LTVs spread by',
      'calls answered',
      'called',
      'liquidated',
      'sold, M USD',
      'added, M USD',
      'lost, M USD',
      'highest LTV of the pool',
    ],
    rows,
  );
  const windows = [];
  for (const window of ['covid-2020', 'october-2025'])
    for (const answers of [false, true]) {
      const { Called, Liquidated, ToppedUpUsd, ForcedSaleUsd, Loss } = await coinbaseReplay(
        ask,
        window,
        answers,
      );
      windows.push([
        window,
        answers ? '70 % within 2 hours' : 'none',
        percent(Called, 2000),
        percent(Liquidated, 2000),
        percent(ForcedSaleUsd, 2e6),
        percent(ToppedUpUsd, 2e6),
        percent(Loss, 2e6),
      ]);
    }
  const coinbase = table(
    ['window', 'answers', 'called', 'liquidated', 'sold, of loans', 'added, of loans', 'lost, of loans'],
    windows,
  );
  return { ledn, coinbase };
}

/** A document with the tables between their marks. */
export const withTables = (text, tables) =>
  Object.entries(tables).reduce(
    (all, [name, rows]) =>
      all.replace(
        new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n<!-- end -->)`),
        (_, begin, end) => `${begin}\n${rows}\n${end}`,
      ),
    text,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { startService } = await import('../../dist/server/service.js');
  const { loadConfig } = await import('../../dist/server/config.js');
  const { createLogger } = await import('../../dist/host/log.js');
  const key = 'of-this-process-only';
  const service = await startService(
    loadConfig({ ...process.env, PORT: '0', HOST: '127.0.0.1', API_KEYS: key }),
    createLogger('silent'),
  );
  const ask = async body => {
    const response = await fetch(`${service.url}/stress`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const file = fileURLToPath(new URL('../real-loans.md', import.meta.url));
  writeFileSync(file, withTables(readFileSync(file, 'utf8'), await realLoanTables(ask)));
  await service.stop();
}
