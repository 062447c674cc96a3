/**
 * /stress: a book under scenarios, each shocked, replayed and simulated on the same paths (docs/stress.md).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuseIfFaulty } from '../../core/errors.ts';
import { type AccuracyFigures, accuracyMember } from '../../core/figures/accuracy.ts';
import type { GridHours } from '../../core/plan/grid.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import { SharedDraws } from '../../core/plan/shared-draws.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { shareArrays } from '../../engine/threads/shared-plan.ts';
import { readTogether } from '../../market/missing-data.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import type { ScenarioSet } from '../../models/methodology/methodology.ts';
import { needWarnings } from '../../models/methodology/warnings.ts';
import { formatHour } from '../../text/calendar-date.ts';
import { processedArguments, shownModel } from '../answer.ts';
import { bookNeed, bookProduct, bookWarnings, unresolvedTerms } from '../book/book.ts';
import { BOOK_QUESTION } from '../book/book-risk.ts';
import { type BookColumns, shownLoans } from '../book/columns.ts';
import { BOOK_BODY_BYTES, type Operation, type OperationContext, type Question } from '../question.ts';
import { BASE_SCENARIO } from '../request/scenario.ts';
import { type ReplayChoice, type ReplayPath, replayPath } from '../scenario/replay.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { paramsMember } from '../workload.ts';
import { bookChange } from './change.ts';
import { STRESS_READING, type StressRequest, type StressTerms } from './request.ts';
import { type ScenarioAnswer, type ScenarioBook, scenarioAnswer } from './scenario-answer.ts';

/** Loans times scenarios of an answer with every loan. */
const MAX_ROWS = 200_000;

const stress: Operation<StressRequest> = async (request, context) => {
  // A book of 100,000 loans takes some milliseconds in each turn, here and below.
  await nextTurn();
  const { terms, methodology: name } = request;
  const { compare, loans } = terms;
  const scenarios: readonly Scenario[] = [{ name: BASE_SCENARIO }, ...terms.scenarios];
  const tables = compare === undefined ? 1 : 2;
  refuseManyRows(loans.ids.length * scenarios.length * tables, context);
  const saleDelay = Math.max(terms.sale_delay, compare?.saleDelay ?? 0);
  const need = bookNeed({ ...terms, sale_delay: saleDelay });
  const methodology = METHODOLOGIES[name];
  const simulates = terms.mc_iter !== 0;
  const [prices, replays] = await readTogether([
    simulates ? methodology.read(need, context) : Promise.resolve(undefined),
    readReplays(scenarios, loans.symbols, saleDelay, context),
  ]);
  const fits = new Map<number, ScenarioSet>();
  /** The scenarios of paths under a shock of volatilities, all fitted to the same window. */
  async function setOf({
    volatilityShock = need.volatilityShock,
  }: Scenario): Promise<ScenarioSet | undefined> {
    if (!simulates) return undefined;
    const set =
      fits.get(volatilityShock) ?? (await methodology.fit(prices, { ...need, volatilityShock }, context));
    fits.set(volatilityShock, set);
    if (set.scenarios.kind === 'historical') refuseIfFaulty(unresolvedTerms(loans, set.gridHours));
    return set;
  }
  const base = await setOf(scenarios[0]);
  const gridHours = base?.stepHours ?? 1;
  const own = await productsOf(loans, terms, terms.sale_delay, gridHours);
  const other = compare && (await productsOf(compare.loans, terms, compare.saleDelay, gridHours));
  const answers: Record<string, object> = {};
  const compared: Record<string, object> = {};
  const differences: Record<string, object> = {};
  const accuracy: Record<string, AccuracyFigures> = {};
  const runs = scenarios.length * tables;
  const draws = runs > 1 && methodology.draws ? new SharedDraws() : undefined;
  let done = 0;
  let baseRuns: readonly (ScenarioAnswer | undefined)[] = [];
  let engine = context.engines.reference.description;
  const changeTerms = {
    quantiles: Float64Array.from(terms.quantile),
    level: context.query.confidence,
    independent: methodology.draws,
  };
  /** The members of a scenario, with its change from the first one. */
  const membersOf = async ({ members, run }: ScenarioAnswer, first: ScenarioAnswer | undefined) => ({
    ...members,
    ...(first && { Change: await bookChange(first.run, run, changeTerms) }),
  });
  for (const scenario of scenarios) {
    const set = await setOf(scenario);
    const ask = async (products: Products, columns: BookColumns) => {
      const part = { from: done / runs, to: (done + 1) / runs };
      done += 1;
      const path = scenario.replay && replays.get(keyOf(scenario.replay));
      return scenarioAnswer(
        { ...products, request, need, gridHours, columns, scenario, path, set, part, runs, draws },
        context,
      );
    };
    const answer = await ask(own, loans);
    engine = answer.engine ?? engine;
    const twin = other && compare && (await ask(other, compare.loans));
    const [first, firstTwin] = baseRuns;
    answers[scenario.name] = await membersOf(answer, first);
    if (answer.accuracy !== undefined) accuracy[scenario.name] = answer.accuracy;
    if (twin !== undefined) {
      compared[scenario.name] = await membersOf(twin, firstTwin);
      differences[scenario.name] = await bookChange(answer.run, twin.run, changeTerms);
    }
    if (baseRuns.length === 0) baseRuns = [answer, twin];
    await nextTurn();
  }
  await nextTurn();
  const { compare: _, scenarios: __, ...shown } = terms;
  const model = base && shownModel(base, terms, context);
  return {
    resultMember: 'Output',
    arguments: processedArguments(
      {
        ...shown,
        loans: await shownLoans(loans),
        scenarios: terms.scenarios.map(shownScenario),
        ...(compare && { compare: compare.terms }),
      },
      base?.addedArguments,
    ),
    result: {
      Scenarios: answers,
      ...(compare && { Compared: { Scenarios: compared, Difference: differences } }),
    },
    engine,
    filled: base?.filled ?? [],
    basis: { gridHours: base?.gridHours ?? 1, paths: base?.paths ?? 0 },
    ...(base && { fitted: base.fitted }),
    warnings: [
      ...(base === undefined ? [] : [...bookWarnings(terms, base, own.onGrid), ...needWarnings(need)]),
      ...replayWarnings(scenarios, replays),
    ],
    included: {
      ...(model && { Model: model }),
      ...(base &&
        Object.keys(accuracy).length > 0 && {
          Accuracy: accuracyMember(context.query.confidence, base.paths, { Scenarios: accuracy }),
        }),
    },
  };
};

function refuseManyRows(rows: number, { query }: OperationContext): void {
  if (!query.include.has('loans') || rows <= MAX_ROWS) return;
  const message = `include may name loans for up to ${MAX_ROWS} loans times scenarios; this request has ${rows}`;
  refuseIfFaulty([{ path: 'query.include', message }]);
}

type Products = Pick<ScenarioBook, 'hourly' | 'onGrid'>;

/** The loans as products of an hourly grid and of the grid of the paths, in memory that threads share. */
async function productsOf(
  loans: BookColumns,
  { sale_cost, quantile }: StressTerms,
  sale_delay: number,
  gridHours: GridHours,
): Promise<Products> {
  const on = async (grid: GridHours): Promise<BookProduct> => {
    await nextTurn();
    const product = bookProduct({ loans, sale_delay, sale_cost, quantile }, grid);
    await nextTurn();
    return shareArrays(product);
  };
  const hourly = await on(1);
  return { hourly, onGrid: gridHours === 1 ? hourly : await on(gridHours) };
}

const keyOf = (choice: ReplayChoice) => JSON.stringify(choice);

/** The paths of all replays; one refusal names all missing prices. */
async function readReplays(
  scenarios: readonly Scenario[],
  symbols: readonly string[],
  saleDelay: number,
  { market }: OperationContext,
): Promise<ReadonlyMap<string, ReplayPath>> {
  const choices = new Map(
    scenarios.flatMap(({ replay }) => (replay ? [[keyOf(replay), replay] as const] : [])),
  );
  const read = await readTogether(
    [...choices.values()].map(choice => replayPath(market, symbols, choice, saleDelay)),
  );
  return new Map([...choices.keys()].map((key, i) => [key, read[i]]));
}

function replayWarnings(
  scenarios: readonly Scenario[],
  replays: ReadonlyMap<string, ReplayPath>,
): readonly Warning[] {
  const paths = [...replays.values()];
  const namesOf = (text: string) =>
    scenarios
      .filter(({ replay }) => replay && replays.get(keyOf(replay))?.proxied.includes(text))
      .map(({ name }) => name);
  /** With the names of its scenarios, where other replays have the prices. */
  const told = (text: string) =>
    paths.every(path => path.proxied.includes(text)) ? text : `${text} (${namesOf(text).join(', ')})`;
  const proxied = [...new Set(paths.flatMap(path => path.proxied))].map(told);
  const ended = [...new Set(paths.flatMap(path => path.ended))];
  return [
    ...warnIf(
      proxied.length > 0,
      'replay-proxy',
      `Hourly prices are missing: a replay uses ${proxied.join('; ')}.`,
    ),
    ...warnIf(
      ended.length > 0,
      'replay-ended',
      `Prices of ${ended.join(', ')} end before all sales ordered in a replay are executed: the last price is used for the rest.`,
    ),
  ];
}

/** A scenario as `Arguments` shows it: its window looked up. */
function shownScenario({ name, priceShock, volatilityShock, replay }: Scenario) {
  return {
    name,
    ...(priceShock && { price_shock: priceShock }),
    ...(volatilityShock === undefined ? {} : { volatility_shock: volatilityShock }),
    ...(replay && {
      replay: {
        ...(replay.name === undefined ? {} : { name: replay.name }),
        from: formatHour(replay.from),
        hours: replay.hours,
        ...(Object.keys(replay.proxies).length === 0 ? {} : { proxy: replay.proxies }),
      },
    }),
  };
}

export const STRESS_QUESTION: Question<StressRequest> = {
  name: 'stress',
  path: '/stress',
  ...STRESS_READING,
  query: { include: ['accuracy', 'loans', 'model', 'path', 'warnings'], sampling: [] },
  answer: stress,
  bodyBytes: BOOK_BODY_BYTES,
  /** The work of a book for each scenario, under either set of terms; a replay counts as one path. */
  workload({ methodology, terms: { compare, scenarios, mc_iter, ...terms } }) {
    const runs = (scenarios.length + 1) * (compare === undefined ? 1 : 2);
    const paths = mc_iter === undefined ? {} : { mc_iter: Math.max(1, mc_iter) };
    const one = BOOK_QUESTION.workload({ methodology, terms: { ...terms, ...paths } });
    return { ...one, work: runs * one.work };
  },
  planMember: paramsMember('loans'),
  seriesMember: BOOK_QUESTION.seriesMember,
};
