/**
 * The result of a tape: the loans under each methodology, back-tests, scenarios, comparison and limits; the same for the command and a server.
 *
 * Must not know: files, HTTP.
 */
import { headlineOf } from '../../core/figures/usual.ts';
import type { Ask } from '../../desk/ask.ts';
import { type AnsweredModel, askModel } from '../../desk/ask-model.ts';
import { askStress, type StressTerms } from '../../desk/ask-stress.ts';
import { type DeskParts, deskResult } from '../../desk/assemble.ts';
import { judgeLimits } from '../../desk/judge-limits.ts';
import type { Limit } from '../../desk/limits.ts';
import type { DeskResult, Judged } from '../../desk/result.ts';
import { todayOf } from '../../desk/today.ts';
import { type Until, untilName } from '../../desk/until.ts';
import type { ValuedTape } from '../../desk/value-tape.ts';
import { engineVersion } from '../../host/engine-version.ts';
import { type MarketData, marketDataText } from '../../market/market-data.ts';
import type { MethodologyName } from '../../models/methodology/methodologies.ts';
import { compareBooks, type EarlierResult } from './compare.ts';
import { judge } from './judge.ts';
import { modelTerms } from './valuing.ts';
import { volumeOf } from './volumes.ts';

/** The terms of a run over a tape. */
export interface ReportTerms extends Omit<StressTerms, 'asOf' | 'prices' | 'draws' | 'scenarios'> {
  /** The first is the headline's. */
  readonly types: readonly MethodologyName[];
  readonly horizonDays: number;
  /** Days of the back-test; 0 for none. */
  readonly backtestDays: number;
  readonly title: string;
  /** Name of the earlier result. */
  readonly compare?: string | undefined;
  readonly limits?: readonly Limit[] | undefined;
  /** The command line that reproduces the result. */
  readonly command: string;
}

/** What a run asks, of which market, and when. */
export interface ReportSource {
  readonly market: MarketData;
  readonly ask: Ask;
  readonly now: Date;
  /** @param share of the work that is done, 0 to 1 */
  progress(share: number, what: string): void;
}

/** @throws DeskRefusal, or RiskError where prices of an earlier book are missing */
export async function makeResult(
  { market, ask, now, progress }: ReportSource,
  tape: ValuedTape,
  name: DeskParts['name'],
  options: ReportTerms,
  earlier?: EarlierResult,
): Promise<DeskResult> {
  const { types, backtestDays, limits } = options;
  const terms = modelTerms(options, tape);
  const level = headlineOf(options.levels);
  const steps = types.length * (backtestDays > 0 ? 2 : 1) + 1;
  const missing: string[] = [];
  const answers = new Map<MethodologyName, AnsweredModel>();
  for (const [k, type] of types.entries()) {
    progress(k / steps, type);
    answers.set(type, await askModel(ask, type, tape.rows, terms, k === 0 ? String(level) : undefined));
  }
  const Today = todayOf(tape.loans, tape.prices);
  const Basket = Object.fromEntries(
    Today.Assets.map(({ Name, CollateralUsd }) => [Name, CollateralUsd / Today.CollateralUsd]),
  );
  const judged = new Map<string, Judged>();
  /** Methodologies whose back-test is refused, by the reason. */
  const refused = new Map<string, MethodologyName[]>();
  for (const [k, type] of (backtestDays > 0 ? types : []).entries()) {
    const done = (share: number) => progress((types.length + k + share) / steps, `back-test of ${type}`);
    const found = await judge(ask, type, Basket, { ...terms, days: backtestDays }, done);
    if (typeof found === 'string') refused.set(found, [...(refused.get(found) ?? []), type]);
    else judged.set(type, found);
  }
  for (const [reason, those] of refused)
    missing.push(`The back-test of ${those.join(', ')} is left out: ${reason}`);
  progress((steps - 1) / steps, 'stress');
  const until = untilOf(options);
  const hasMoves = options.falls.length > 0;
  const stress =
    hasMoves || until.length > 0
      ? await askStress(ask, types[0], tape.rows, {
          ...terms,
          until,
          ...(!hasMoves && { rises: [], scenarios: [] }),
        })
      : null;
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
          headline,
          { file: options.compare ?? '', ...options },
          market,
          (rows, asOf, prices) => askModel(ask, types[0], rows, { ...terms, asOf, prices }),
        );
  const result = deskResult({
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
  return { ...result, Limits: limits === undefined ? null : judgeLimits(limits, result) };
}

/** The bounds that were asked for, and those of limits, each once. */
function untilOf({ until = [], limits = [] }: ReportTerms): readonly Until[] {
  const all = [...until, ...limits.flatMap(limit => limit.until ?? [])];
  return [...new Map(all.map(each => [untilName(each), each])).values()];
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

function runOf(options: ReportTerms, version: string): DeskResult['Run'] {
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
    ...(options.credit && { Credit: options.credit }),
    ...(options.waterfall && { Waterfall: options.waterfall }),
    Command: options.command,
  };
}
