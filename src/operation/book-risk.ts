/**
 * /book_risk: what can become of many loans on the same paths (docs/books.md).
 */
import { type Fault, refuseIfFaulty } from '../core/errors.ts';
import { type GridHours, graceSteps, stepsOfDays } from '../core/plan/grid.ts';
import type { NumberedPortfolio } from '../core/plan/portfolio.ts';
import type { BookOutcome, BookProduct } from '../core/plan/product/book.ts';
import type { Scenarios, SimulationPlan } from '../core/plan/simulation-plan.ts';
import type { BookColumns } from '../request/book-columns.ts';
import type { BookRiskRequest } from '../request/book-risk-request.ts';
import { bookAccuracy } from './accuracy/book.ts';
import { accuracyMember } from './accuracy/figures.ts';
import { JsonRows, RawJson } from './answer-pieces.ts';
import { bookFigures, bookLoanFigures } from './book-figures.ts';
import { tailWarnings } from './fitted-model.ts';
import { heavyTailedScenarioSet } from './heavy-tailed-scenarios.ts';
import type { IncludedMembers, Operation, OperationContext } from './operation.ts';
import { processedArguments } from './processed-arguments.ts';
import { readTogether } from './read-together.ts';
import { modelMembers, runOutcome, wantsAccuracy } from './run-plan.ts';
import {
  gbmScenarioSet,
  historicalScenarioSet,
  lookbackCloses,
  type ScenarioSet,
  unresolvedHorizons,
  volatilityIndexLevels,
} from './scenarios.ts';

const HOURS_PER_DAY = 24;

/** Answers /book_risk. */
export const bookRisk: Operation<BookRiskRequest> = async (request, context) => {
  const { params } = request;
  const { loans } = params;
  const set = await bookScenarios(request, context);
  const product = bookProduct(params, set.stepHours);
  const plan: SimulationPlan<BookProduct> = {
    seed: context.seed,
    paths: set.paths,
    scenarios: set.scenarios,
    product,
  };
  const { value, engine } = await runOutcome(plan, context);
  const rows = new JsonRows(loans.ids, k => bookLoanFigures(product, value, k));
  const Book = bookFigures(product, value, loans.symbols);
  const { loans: _, ...common } = params;
  return {
    resultMember: 'Output',
    arguments: processedArguments({ ...params, loans: new RawJson(loans.echo) }, set.addedArguments),
    result: { Loans: rows, Book },
    lines: { rows, arguments: processedArguments(common, set.addedArguments), result: { Book } },
    engine,
    filled: set.filled,
    basis: { gridHours: set.gridHours, paths: set.paths },
    plan,
    fitted: set.fitted,
    warnings: tailWarnings(set.paths, params.quantile),
    included: {
      ...modelMembers(set, params, context),
      ...(await bookMembers(plan, value, loans.ids, context)),
    },
  };
};

/** The members beside the result that the query asks for. */
async function bookMembers(
  plan: SimulationPlan<BookProduct>,
  outcome: BookOutcome,
  ids: readonly string[],
  context: OperationContext,
): Promise<IncludedMembers> {
  if (!wantsAccuracy(context)) return {};
  const level = context.query.confidence;
  const figures = await bookAccuracy(plan, outcome, ids, level, context.signal);
  return { Accuracy: accuracyMember(level, plan.paths, figures) };
}

interface BookScenarios extends ScenarioSet<Scenarios> {
  readonly paths: number;
  /** Hours of a step of the paths: 1 for drawn ones, whatever the grid of the window. */
  readonly stepHours: GridHours;
  readonly addedArguments: Readonly<Record<string, unknown>>;
}

/** Reads the window of the book's assets and calibrates the model that its type names. */
async function bookScenarios(request: BookRiskRequest, context: OperationContext): Promise<BookScenarios> {
  const { params } = request;
  const portfolio = wholePortfolio(params.loans);
  switch (request.type) {
    case 'GBM': {
      const { volatility_shock, mc_iter } = request.params;
      const closes = await lookbackCloses(portfolio, params, context);
      const set = gbmScenarioSet(portfolio, closes, volatility_shock);
      return { ...set, paths: mc_iter, stepHours: 1, addedArguments: {} };
    }
    case 'GBM_VIX': {
      const [index, closes] = await readTogether([
        volatilityIndexLevels(params, context),
        lookbackCloses(portfolio, params, context),
      ]);
      const set = gbmScenarioSet(portfolio, closes, 0, index.levels);
      return {
        ...set,
        filled: [...set.filled, ...index.filled],
        paths: request.params.mc_iter,
        stepHours: 1,
        addedArguments: { vix_data: index.levels },
      };
    }
    case 'STUDENT_T':
    case 'FHS':
    case 'BOOTSTRAP': {
      const closes = await lookbackCloses(portfolio, params, context);
      const steps = stepsOfDays(longestDays(params.loans), 1) + graceSteps(params.sale_delay, 1);
      const asked = { ...request.params, type: request.type };
      const set = await heavyTailedScenarioSet(portfolio, asked, closes, steps, context);
      return { ...set, paths: request.params.mc_iter, stepHours: 1, addedArguments: {} };
    }
    case 'HISTORICAL': {
      const { sale_delay } = params;
      const longest = longestDays(params.loans);
      // Room for the longest term and the delay on either grid, whichever the prices turn out to be on.
      const days = Math.max(
        longest + sale_delay / HOURS_PER_DAY,
        stepsOfDays(longest, 24) + graceSteps(sale_delay, 24),
      );
      const horizon = { path: 'params.loans', days };
      const set = await historicalScenarioSet(portfolio, params, [horizon], context);
      refuseIfFaulty(unresolvedTerms(params.loans, set.gridHours));
      return { ...set, paths: set.windows, stepHours: set.gridHours, addedArguments: {} };
    }
  }
}

/** Terms that round to no step of the grid of history. */
function unresolvedTerms({ durationDays }: BookColumns, gridHours: GridHours): Fault[] {
  const faults: Fault[] = [];
  durationDays.forEach((days, k) => {
    faults.push(...unresolvedHorizons([{ path: `params.loans.${k}.loan_duration`, days }], gridHours));
  });
  return faults.slice(0, 100);
}

const longestDays = ({ durationDays }: BookColumns) => durationDays.reduce((a, b) => Math.max(a, b), 0);

/** All baskets of the book as one, by the values of its loans. */
function wholePortfolio(loans: BookColumns): NumberedPortfolio {
  const { symbols, basket, loanValue } = loans;
  const total = loanValue.reduce((sum, value) => sum + value, 0);
  const byBasket = new Float64Array(loans.firstLoan.length);
  basket.forEach((b, k) => {
    byBasket[b] += loanValue[k] / total;
  });
  const sum = (weights: Float64Array) => {
    const all = new Float64Array(symbols.length);
    weights.forEach((weight, i) => {
      all[i % symbols.length] += weight * byBasket[Math.floor(i / symbols.length)];
    });
    return all;
  };
  return { symbols, collateralWeights: sum(loans.collateralWeights), loanWeights: sum(loans.loanWeights) };
}

function bookProduct(
  { loans, sale_delay, sale_cost, quantile }: BookRiskRequest['params'],
  stepHours: GridHours,
): BookProduct {
  const termSteps = Uint32Array.from(loans.durationDays, days => stepsOfDays(days, stepHours));
  const saleDelaySteps = graceSteps(sale_delay, stepHours);
  return {
    kind: 'book',
    steps: termSteps.reduce((a, b) => Math.max(a, b), 0) + saleDelaySteps,
    saleDelaySteps,
    saleCost: sale_cost,
    daySteps: HOURS_PER_DAY / stepHours,
    quantiles: Float64Array.from(quantile),
    collateralWeights: loans.collateralWeights,
    loanWeights: loans.loanWeights,
    basket: loans.basket,
    termSteps,
    topUpSteps: Uint32Array.from(loans.topUpHours, hours => graceSteps(hours, stepHours)),
    loanValue: loans.loanValue,
    nominalRatio: loans.nominalRatio,
    marginCallRatio: loans.marginCallRatio,
    liquidationRatio: loans.liquidationRatio,
    recoveryRatio: loans.recoveryRatio,
  };
}
