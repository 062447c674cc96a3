/** The replays of the scenarios of a stress: their paths, and warnings where prices are replaced. */
import { stepsOfDays } from '../../core/plan/grid.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { MarketData } from '../../market/market-data.ts';
import { readTogether } from '../../market/missing-data.ts';
import { pairsOf } from '../../models/methodology/pegged-pairs.ts';
import { counted, nounOf } from '../../text/counted.ts';
import { namedLoans } from '../../text/grouped.ts';
import type { BookColumns } from '../book/columns.ts';
import type { ReplayChoice, StandIns } from '../scenario/asset-track.ts';
import { type ReplayPath, replayPath } from '../scenario/replay.ts';
import type { Scenario } from '../scenario/scenario.ts';

export interface Replays {
  /** Undefined where the scenario has no replay. */
  pathOf(scenario: Scenario): ReplayPath | undefined;
  readonly warnings: readonly Warning[];
}

type ReplayedLoans = Pick<
  BookColumns,
  | 'ids'
  | 'symbols'
  | 'basket'
  | 'collateralWeights'
  | 'loanWeights'
  | 'firstLoan'
  | 'durationDays'
  | 'maturityDays'
>;

const keyOf = (choice: ReplayChoice) => JSON.stringify(choice);

/**
 * Reads the paths of all replays, each once.
 *
 * @param saleDelay hours read after each window
 * @throws MissingMarketData that names all missing prices
 */
export async function readReplays(
  scenarios: readonly Scenario[],
  loans: ReplayedLoans,
  saleDelay: number,
  market: MarketData,
  standIns: StandIns,
): Promise<Replays> {
  const choices = new Map(
    scenarios.flatMap(({ replay }) => (replay ? [[keyOf(replay), replay] as const] : [])),
  );
  const read = await readTogether(
    [...choices.values()].map(choice => replayPath(market, loans.symbols, choice, saleDelay, standIns)),
  );
  const paths = new Map([...choices.keys()].map((key, i) => [key, read[i]]));
  const pathOf = ({ replay }: Scenario) => replay && paths.get(keyOf(replay));
  return {
    pathOf,
    warnings: [
      ...replayWarnings(scenarios, read, pathOf),
      ...frozenWarnings(read, loans),
      ...cutWarnings(scenarios, loans),
    ],
  };
}

function replayWarnings(
  scenarios: readonly Scenario[],
  paths: readonly ReplayPath[],
  pathOf: Replays['pathOf'],
): readonly Warning[] {
  const namesOf = (text: string) =>
    scenarios.filter(each => pathOf(each)?.proxied.includes(text)).map(({ name }) => name);
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

/** Most ids of loans in a warning. */
const MAX_IDS = 10;

/** Loans whose collateral and debt have the returns of one asset in a replay. */
function frozenWarnings(
  paths: readonly ReplayPath[],
  { ids, symbols, basket, collateralWeights, loanWeights, firstLoan }: ReplayedLoans,
): readonly Warning[] {
  const follows = Object.assign({}, ...paths.map(path => path.follows)) as ReplayPath['follows'];
  const rootOf = (symbol: string) => follows[symbol] ?? symbol;
  const frozen = Array.from(firstLoan, (_, b) =>
    pairsOf(symbols, collateralWeights, loanWeights, b * symbols.length).filter(
      ([own, other]) => rootOf(own) === rootOf(other),
    ),
  );
  const pairs = [...new Set(frozen.flat().map(([own, other]) => `${own} against ${other}`))];
  const affected = ids.filter((_, k) => frozen[basket[k]].length > 0);
  return warnIf(
    pairs.length > 0,
    'ratio-frozen',
    `In a replay ${pairs.join(', ')} cannot part, because one stands in for the other: it shows no loss of ${namedLoans(affected)} from that. Ask it by a price_shock on one of them.`,
  );
}

/** Loans whose maturity lies within a replay, and the replays that no loan lives through. */
function cutWarnings(
  scenarios: readonly Scenario[],
  { ids, durationDays, maturityDays }: ReplayedLoans,
): readonly Warning[] {
  const replays = scenarios.flatMap(({ name, replay }) => (replay ? [{ name, hours: replay.hours }] : []));
  const longest = replays.reduce((most, { hours }) => Math.max(most, hours), 0);
  const livesFor = (k: number, hours: number) =>
    Math.min(stepsOfDays(maturityDays[k], 1), stepsOfDays(durationDays[k], 1) + hours);
  const matured = ids.filter((_, k) => livesFor(k, longest) < longest);
  const cut = replays.flatMap(({ name, hours }) => {
    const followed = ids.reduce((most, _, k) => Math.max(most, Math.min(hours, livesFor(k, hours))), 0);
    return followed < hours ? [`${name} (${followed} of ${hours} hours)`] : [];
  });
  const shown = matured.slice(0, MAX_IDS).join(', ');
  const more = matured.length > MAX_IDS ? ` and ${matured.length - MAX_IDS} more` : '';
  const told = cut.length === 0 ? '' : ` No loan lives to the end of ${cut.join(', ')}.`;
  return warnIf(
    matured.length > 0,
    'replay-cut',
    `The ${nounOf(matured.length, 'term')} of ${counted(matured.length, 'loan')} ${matured.length === 1 ? 'ends' : 'end'} within a replay of ${longest} hours: ${shown}${more}. What prices do to such a loan afterwards is in no figure.${told} A loan that lives longer needs a later maturity: maturity_days, null without one.`,
  );
}
