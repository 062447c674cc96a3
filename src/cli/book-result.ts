/**
 * The result of a tape except its limits: the loans under each methodology, back-tests, scenarios and comparison.
 *
 * Must not know: files, exit codes.
 */
import { type AnsweredModel, askModel } from '../desk/ask-model.ts';
import { askStress } from '../desk/ask-stress.ts';
import { type DeskParts, deskResult } from '../desk/assemble.ts';
import type { DeskResult, Judged } from '../desk/result.ts';
import { todayOf } from '../desk/today.ts';
import type { ValuedTape } from '../desk/value-tape.ts';
import { engineVersion } from '../host/engine-version.ts';
import { type MarketData, marketDataText } from '../market/market-data.ts';
import type { MethodologyName } from '../models/methodology/methodologies.ts';
import { judge } from './book-backtest.ts';
import { compareBooks, type EarlierResult } from './book-compare.ts';
import { modelTerms } from './book-tape.ts';
import { volumeOf } from './book-volumes.ts';
import type { ProgressLine } from './output.ts';
import { type OwnRisk, ownAsk } from './own-risk.ts';
import type { BookOptions } from './tape-options.ts';

export async function bookResult(
  own: OwnRisk,
  tape: ValuedTape,
  name: DeskParts['name'],
  options: BookOptions,
  now: Date,
  progress: Pick<ProgressLine, 'update'>,
  earlier?: EarlierResult,
): Promise<Omit<DeskResult, 'Limits'>> {
  const { types, backtestDays } = options;
  const market = own.risk.market.current();
  const ask = ownAsk(own);
  const terms = modelTerms(options, tape);
  const steps = types.length * (backtestDays > 0 ? 2 : 1) + 1;
  const missing: string[] = [];
  const answers = new Map<MethodologyName, AnsweredModel>();
  for (const [k, type] of types.entries()) {
    progress.update(k / steps, type);
    answers.set(type, await askModel(ask, type, tape.rows, terms));
  }
  const Today = todayOf(tape.loans, tape.prices);
  const Basket = Object.fromEntries(
    Today.Assets.map(({ Name, CollateralUsd }) => [Name, CollateralUsd / Today.CollateralUsd]),
  );
  const judged = new Map<string, Judged>();
  /** Methodologies whose back-test is refused, by the reason. */
  const refused = new Map<string, MethodologyName[]>();
  for (const [k, type] of (backtestDays > 0 ? types : []).entries()) {
    const done = (share: number) =>
      progress.update((types.length + k + share) / steps, `back-test of ${type}`);
    const found = await judge(own, type, Basket, { ...terms, days: backtestDays }, done);
    if (typeof found === 'string') refused.set(found, [...(refused.get(found) ?? []), type]);
    else judged.set(type, found);
  }
  for (const [reason, those] of refused)
    missing.push(`The back-test of ${those.join(', ')} is left out: ${reason}`);
  progress.update((steps - 1) / steps, 'stress');
  const stress = options.falls.length === 0 ? null : await askStress(ask, types[0], tape.rows, terms);
  if (typeof stress === 'string') missing.push(`The scenarios are left out: ${stress}`);
  const stressed = typeof stress === 'string' ? null : stress;
  const headline = answers.get(types[0]);
  if (headline === undefined) throw new Error('no methodology was requested');
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
            (await askModel(ask, types[0], rows, { ...terms, asOf, prices })).Book,
        );
  return deskResult({
    title: options.title,
    madeAt: now,
    tape,
    name,
    market: marketDataText(market),
    synthetic: market.sample,
    volumes: await volumesOf(tape, Today, market),
    run: runOf(options, engineVersion()),
    today: Today,
    answers,
    backtest: judged.size === 0 ? null : { Basket, Models: Object.fromEntries(judged) },
    stress: stressed,
    compared,
    missing,
  });
}

async function volumesOf(
  tape: ValuedTape,
  { Assets }: DeskResult['Today'],
  market: MarketData,
): Promise<DeskResult['Data']['Volumes']> {
  const volumes: [string, DeskResult['Data']['Volumes'][string]][] = [];
  for (const { Name } of Assets) volumes.push([Name, await volumeOf(Name, tape.asOf, market)]);
  return Object.fromEntries(volumes);
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
