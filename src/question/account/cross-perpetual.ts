/** /cross_perp_risk: the possible outcomes of an account of perpetuals on common collateral (docs/accounts.md). */
import { AccountNow } from '../../core/account/account-now.ts';
import type { AccountOutcome } from '../../core/engine.ts';
import type { AccountNames } from '../../core/figures/account.ts';
import { accountWindowFigures } from '../../core/figures/account-accuracy.ts';
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import { accountDistribution } from '../../core/figures/distribution.ts';
import { QUANTILES } from '../../core/figures/perpetual.ts';
import { HOURS_PER_DAY } from '../../core/plan/grid.ts';
import { numberAssets } from '../../core/plan/portfolio.ts';
import type { AccountProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import { FUNDING_PATH } from '../../market/missing-data.ts';
import { figuresInThread } from '../../models/calibration/calibration-pool.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import { fewRowsWarnings, sharesBelow, tailWarnings } from '../../models/methodology/warnings.ts';
import { parseIsoDate } from '../../text/calendar-date.ts';
import { isSteady } from '../../text/symbols.ts';
import { accuracyOverWindows } from '../accuracy/windows.ts';
import { type Asked, answering, type QuestionRow, type Ran, type RunOptions, runOn } from '../answer.ts';
import { windowOf } from '../loan/need.ts';
import { BODY_BYTES, FULL_QUERY, type Question } from '../question.ts';
import { shockFactor } from '../request/price-shock.ts';
import { rowsOfList } from '../table.ts';
import { paramsMember, pathsOf, workload } from '../workload.ts';
import { type AccountFunding, CONSTANT_FUNDING_HOURS, fundingOfAccount } from './funding.ts';
import { openAccount, refuseLiquidatable, tablesOf } from './open-account.ts';
import { ACCOUNT_READING, memberOfSeries, type ResolvedAccount } from './resolve.ts';
import { asRules } from './rules-schema.ts';
import type { RuleSet, TierTable } from './venues/rule-set.ts';

const OLD_VENUE_DAYS = 180;
const FAR_MARK = 0.05;

/** The account before a shock. */
interface Opened {
  readonly product: AccountProduct;
  readonly now: AccountNow;
  readonly tables: readonly TierTable[];
  readonly funding: AccountFunding;
}

interface RanAccount extends Ran<ResolvedAccount, AccountProduct, Opened> {
  /** Parts of the losses of the tails. */
  readonly parts: Float64Array;
}

const CROSS_PERPETUAL: QuestionRow<ResolvedAccount, AccountProduct, Opened, RanAccount> = {
  resultMember: 'Results',
  need: ({ terms, assets }) => ({
    ...windowOf(terms),
    portfolio: numberAssets(Object.fromEntries(assets.map(asset => [asset, 1])), {}),
    termSteps: () => terms.horizon_hours,
    horizons: [],
    ofMarks: true,
  }),
  async readAlso(request, context) {
    const tables = tablesOf(request, context);
    const funding = await fundingOfAccount(request, context);
    const product = openAccount(request, tables, funding);
    const now = new AccountNow(product, request.assets.length);
    refuseLiquidatable(product, now);
    return { product, now, tables, funding };
  },
  product: ({ request: { terms, assets }, extra }) =>
    terms.price_shock === undefined
      ? extra.product
      : {
          ...extra.product,
          shock: Float64Array.from(assets, asset => shockFactor(terms.price_shock, asset)),
        },
  run: runWithTails,
  result: async ({ request, extra, outcome, plan: { product }, parts, context }) => ({
    Now: nowMember(request, extra.now),
    ...(await figuresInThread(
      'account-figures',
      [outcome, product, namesOf(request), parts],
      outcome.paths,
      context,
    )),
  }),
  accuracy,
  distribution: ({ outcome, plan: { product, distribution } }) =>
    distribution && accountDistribution(outcome, product, distribution),
  model: ({ request: { terms }, extra: { funding } }) => ({
    funding: terms.positions.map(({ id }, i) => {
      const { rate, process } = funding.rows[i];
      return { id, ...(process === undefined ? { rate } : funding.processes[process]) };
    }),
  }),
  warnings: ran => [
    ...tailWarnings(ran.set.paths, [...Object.values(QUANTILES), ...ran.request.terms.quantile]),
    ...fewRowsWarnings(
      ran.set.rows,
      ran.request.terms.horizon_hours / HOURS_PER_DAY,
      sharesBelow(Object.values(QUANTILES)),
    ),
    ...accountWarnings(ran),
  ],
  addedArguments: ({ request: { rules, terms }, extra: { tables } }) => ({
    rules: rulesAsUsed(rules, terms, tables),
  }),
};

/** Runs the account, then once more over the paths of the tails, whose losses it takes apart. */
async function runWithTails(
  plan: SimulationPlan<AccountProduct>,
  asked: Asked<ResolvedAccount, Opened>,
  { draws, ...options }: RunOptions = {},
): Promise<RanAccount> {
  const { context, request } = asked;
  const { compute, engines, log } = context;
  const quantiles = Float64Array.from(request.terms.quantile);
  const { value, engine } = await engines.use(
    plan,
    compute,
    async chosen => {
      const run = await runOn(chosen, plan, context, { draws, traced: true });
      const { finalEquity } = run.outcome;
      const tail = await figuresInThread(
        'account-tail',
        [{ finalEquity }, plan.product, quantiles, plan.scenarios.kind === 'historical'],
        plan.paths,
        context,
      );
      const { distribution: _, ...whole } = plan;
      const ofTails = { ...whole, paths: tail.paths.length, product: { ...plan.product, tail } };
      const { parts }: AccountOutcome = await chosen.run(ofTails, { signal: context.signal });
      return { ...run, parts: parts ?? new Float64Array() };
    },
    { ...options, log },
  );
  return { ...asked, plan, engine, ...value };
}

const namesOf = ({ terms, currencies }: ResolvedAccount): AccountNames => ({
  ids: terms.positions.map(({ id }) => id),
  markets: terms.positions.map(({ market }) => market),
  currencies,
  quantiles: Float64Array.from(terms.quantile),
});

function nowMember({ assets, terms }: ResolvedAccount, now: AccountNow) {
  const at = (price: number, relative: number | null) => (relative === null ? null : price * relative);
  const prices = assets.map((asset, i) => {
    const { below, above } = now.liquidations([i]);
    const price = terms.prices[asset];
    return [asset, { Below: at(price, below), Above: at(price, above) }];
  });
  const moving = assets.flatMap((asset, i) => (isSteady(asset) ? [] : [i]));
  const { below, above } = now.liquidations(moving);
  return {
    Equity: now.equity,
    MarginEquity: now.marginEquity,
    MaintenanceMargin: now.required,
    MarginRatio: now.required / now.marginEquity,
    EffectiveLeverage: now.leverage,
    LiquidationPrices: Object.fromEntries(prices),
    UniformShock: {
      Down: below === null ? null : below - 1,
      Up: above === null ? null : above - 1,
    },
  };
}

function accuracy(ran: RanAccount): Promise<AccuracyFigures> | AccuracyFigures {
  const { outcome, records, plan, context, request } = ran;
  const { confidence } = context.query;
  const names = namesOf(request);
  if (records === undefined)
    return figuresInThread(
      'account-accuracy',
      [outcome, plan.product, names, confidence],
      plan.paths,
      context,
    );
  const figures = accountWindowFigures(outcome, plan.product, names, records);
  return accuracyOverWindows(figures, outcome.paths, plan.product.steps, confidence, context);
}

/** The rules with the tables of the markets at hand: sent back as `rules` they give the same answer. */
function rulesAsUsed(rules: RuleSet, terms: ResolvedAccount['terms'], tables: readonly TierTable[]): RuleSet {
  const used: Record<string, Record<string, TierTable>> = {};
  terms.positions.forEach(({ market, contract_type, tiers }, i) => {
    // A table of the position is shown there.
    if (tiers === undefined) used[market] = { ...used[market], [contract_type]: tables[i] };
  });
  return { ...asRules(rules as Parameters<typeof asRules>[0]), tiers: used } as RuleSet;
}

function accountWarnings({
  request: { rules, terms, venue },
  extra: { now, product },
  outcome,
  context,
}: RanAccount): readonly Warning[] {
  const lastDay = lastCompleteDay(terms.analysis_date, context.now);
  const asOf = rules.as_of === undefined ? undefined : parseIsoDate(rules.as_of);
  const age = asOf === undefined ? 0 : lastDay - asOf;
  const far = terms.positions.filter(
    ({ market, mark_price }) => Math.abs(mark_price / terms.prices[market] - 1) > FAR_MARK,
  );
  return [
    ...warnIf(
      age > OLD_VENUE_DAYS,
      'old-venue',
      `The rules of ${venue ?? 'the request'} are of ${rules.as_of}, ${age} days before the analysis date: compare them with the venue.`,
    ),
    ...warnIf(
      now.marginEquity <= now.required / product.marginCallRatio,
      'called-at-start',
      `The account has a margin call at the start: maintenance is ${now.required} USD, ${terms.margin_call_ratio} or more of its equity with haircuts, ${now.marginEquity} USD.`,
    ),
    ...warnIf(
      far.length > 0,
      'mark-far',
      `The mark of ${far.map(({ id }) => id).join(', ')} differs from the price of its market by more than 5 %: returns start from the mark.`,
    ),
    ...warnIf(
      terms.intra_hour === 'none' && outcome.shortfalls + outcome.takeOvers > 0,
      'hourly-checks',
      'Prices are compared by the hour alone, and some scenarios jump over the line: shortfalls and take-overs are overstated, calls and closes understated.',
    ),
    ...warnIf(
      terms.horizon_hours > CONSTANT_FUNDING_HOURS &&
        terms.positions.every(({ funding_rate }) => typeof funding_rate === 'number'),
      'funding-constant',
      'Funding rates are numbers over more than a week: send a process to simulate what they may become.',
    ),
  ];
}

export const ACCOUNT_QUESTION: Question<ResolvedAccount> = {
  name: 'account',
  path: '/cross_perp_risk',
  table: rowsOfList('Positions'),
  ...ACCOUNT_READING,
  query: FULL_QUERY,
  answer: answering(CROSS_PERPETUAL),
  bodyBytes: BODY_BYTES,
  workload: ({ methodology, terms, assets, tiers }) =>
    workload(
      {
        product: 'account',
        model: METHODOLOGIES[methodology].kind,
        paths: pathsOf(terms),
        steps: terms.horizon_hours,
        assets: assets.length,
        rows: terms.positions.length,
        tiers: Math.max(1, ...tiers.map(table => table?.tiers.length ?? 1)),
        bridged: terms.intra_hour === 'bridge',
      },
      terms.model_lookback,
    ),
  planMember: paramsMember('horizon_hours'),
  seriesMember(request, series) {
    if (!series.startsWith(FUNDING_PATH)) return memberOfSeries(request, series);
    const market = series.slice(FUNDING_PATH.length);
    const row = request.terms.positions.findIndex(each => each.market === market);
    return row < 0 ? undefined : `params.positions.${row}.funding_rate`;
  },
};
