/**
 * The loans of a tape followed under each methodology, and judged: everything that a result says but limits.
 *
 * Takes: a service of one's own, valued loans, options. Must not know: files that are written, exit codes.
 */
import { formatHour } from '../calendar-date.ts';
import type { DeskResult, Judged } from '../desk/result.ts';
import { todayOf } from '../desk/today.ts';
import { type MarketData, marketDataText } from '../market/market-data.ts';
import type { MethodologyName } from '../methodology/methodologies.ts';
import type { Service } from '../service.ts';
import { TAPE_NOTES } from '../tape/book-rows.ts';
import type { TapeFault, TapeLoan } from '../tape/tape.ts';
import { type Prices, unitsOf } from '../tape/valuation.ts';
import { compareBooks, type EarlierResult } from './book-compare.ts';
import { type AnsweredModel, askModel, judge, volumeOf } from './book-models.ts';
import type { BookOptions } from './book-options.ts';
import { loanLines, warningsOf } from './book-result.ts';
import { askStress } from './book-stress.ts';
import type { ValuedTape } from './book-tape.ts';
import type { Asked } from './own-service.ts';
import type { ProgressLine } from './progress-line.ts';

/** A loan with units of all its collateral: those that were told by value at the prices of now. */
const withUnits = (loan: TapeLoan, prices: Prices): TapeLoan => ({
  ...loan,
  collateral: loan.collateral.map(line => ({ asset: line.asset, amount: unitsOf(line, prices) })),
});

/** The tape as it was named, and its digest. */
export interface TapeName {
  readonly path: string;
  readonly sha256: string;
}

export async function runBook(
  service: Service & Asked,
  tape: ValuedTape,
  name: TapeName,
  options: BookOptions,
  now: Date,
  progress: Pick<ProgressLine, 'update'>,
  earlier?: EarlierResult,
): Promise<Omit<DeskResult, 'Limits'>> {
  const { types, backtestDays } = options;
  const market = service.market.current();
  const terms = { ...options, asOf: tape.asOf, prices: tape.prices };
  const steps = types.length * (backtestDays > 0 ? 2 : 1) + 1;
  const missing: string[] = [];
  const answers = new Map<MethodologyName, AnsweredModel>();
  for (const [k, type] of types.entries()) {
    progress.update(k / steps, type);
    answers.set(type, await askModel(service, type, tape.rows, terms));
  }
  const Today = todayOf(tape.loans, tape.prices);
  const Basket = Object.fromEntries(
    Today.Assets.map(({ Name, CollateralUsd }) => [Name, CollateralUsd / Today.CollateralUsd]),
  );
  const judged = new Map<string, Judged>();
  for (const [k, type] of (backtestDays > 0 ? types : []).entries()) {
    const done = (share: number) =>
      progress.update((types.length + k + share) / steps, `back-test of ${type}`);
    const found = await judge(service, type, Basket, { ...terms, days: backtestDays }, done);
    if (typeof found === 'string') missing.push(`The back-test of ${type} is left out: ${found}`);
    else judged.set(type, found);
  }
  progress.update((steps - 1) / steps, 'stress');
  const stress = options.falls.length === 0 ? null : await askStress(service, types[0], tape.rows, terms);
  if (typeof stress === 'string') missing.push(`The scenarios are left out: ${stress}`);
  const stressed = typeof stress === 'string' ? null : stress;
  const headline = answers.get(types[0]);
  if (headline === undefined) throw new Error('no methodology was asked');
  const compared =
    earlier === undefined
      ? null
      : await compareBooks(
          earlier,
          tape,
          headline.Book,
          { file: options.compare ?? '', ...options },
          market,
          async (rows, asOf, prices) =>
            (await askModel(service, types[0], rows, { ...terms, asOf, prices })).Book,
        );
  return {
    Title: options.title,
    MadeAt: now.toISOString(),
    Tape: tapeOf(name, tape),
    Data: await dataOf(tape, Today, market),
    Run: runOf(options, service.version),
    Today,
    Models: Object.fromEntries(
      [...answers].map(([type, { Book, Borrowers, Warnings }]) => [
        type,
        { Book, ...(Borrowers && { Borrowers }), Warnings },
      ]),
    ),
    Accuracy: headline.Accuracy,
    Backtest: judged.size === 0 ? null : { Basket, Models: Object.fromEntries(judged) },
    Stress: stressed && { Paths: stressed.Paths, Scenarios: stressed.Scenarios },
    Compared: compared,
    Missing: missing,
    Loans: loanLines(tape, headline.Loans),
    Warnings: warningsOf([...answers, ...(stressed === null ? [] : [['scenarios', stressed] as const])]),
  };
}

async function dataOf(
  tape: ValuedTape,
  { Assets }: DeskResult['Today'],
  market: MarketData,
): Promise<DeskResult['Data']> {
  const volumes: [string, DeskResult['Data']['Volumes'][string]][] = [];
  for (const { Name } of Assets) volumes.push([Name, await volumeOf(Name, tape.asOf, market)]);
  return {
    AsOf: formatHour(24 * (tape.asOf + 1)),
    Market: marketDataText(market),
    Synthetic: market.sample,
    Prices: Object.fromEntries(tape.prices),
    Carried: tape.carried,
    Volumes: Object.fromEntries(volumes),
  };
}

const leftOut = ({ line, id, column, message, remedy }: TapeFault) => ({
  Line: line ?? null,
  Id: id ?? null,
  Column: column ?? null,
  Message: message,
  Remedy: remedy,
});

function tapeOf({ path, sha256 }: TapeName, tape: ValuedTape): DeskResult['Tape'] {
  return {
    File: path,
    Sha256: sha256,
    Rows: tape.tableRows,
    Loans: tape.loans.length,
    NotUsed: tape.notUsed,
    Source: tape.loans.map(loan => withUnits(loan, tape.prices)),
    LeftOut: tape.faults.map(leftOut),
    Notes: [...tape.notes].map(([note, ids]) => ({ Note: note, Sentence: TAPE_NOTES[note], Ids: ids })),
  };
}

function runOf(options: BookOptions, version: string): DeskResult['Run'] {
  return {
    Version: version,
    Seed: options.seed,
    Types: options.types,
    Headline: options.types[0],
    LookbackDays: options.lookbackDays,
    Paths: options.paths,
    HorizonDays: options.horizonDays,
    Levels: options.levels,
    SaleDelayHours: options.saleDelayHours,
    SaleCost: options.saleCost,
    Command: options.command,
  };
}
