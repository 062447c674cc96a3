/** The replays of the scenarios of a stress: their paths, and warnings where prices are replaced. */
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { MarketData } from '../../market/market-data.ts';
import { readTogether } from '../../market/missing-data.ts';
import { type ReplayChoice, type ReplayPath, replayPath } from '../scenario/replay.ts';
import type { Scenario } from '../scenario/scenario.ts';

export interface Replays {
  /** Undefined where the scenario has no replay. */
  pathOf(scenario: Scenario): ReplayPath | undefined;
  readonly warnings: readonly Warning[];
}

const keyOf = (choice: ReplayChoice) => JSON.stringify(choice);

/**
 * Reads the paths of all replays, each once.
 *
 * @param saleDelay hours read after each window
 * @throws MissingMarketData that names all missing prices
 */
export async function readReplays(
  scenarios: readonly Scenario[],
  symbols: readonly string[],
  saleDelay: number,
  market: MarketData,
): Promise<Replays> {
  const choices = new Map(
    scenarios.flatMap(({ replay }) => (replay ? [[keyOf(replay), replay] as const] : [])),
  );
  const read = await readTogether(
    [...choices.values()].map(choice => replayPath(market, symbols, choice, saleDelay)),
  );
  const paths = new Map([...choices.keys()].map((key, i) => [key, read[i]]));
  const pathOf = ({ replay }: Scenario) => replay && paths.get(keyOf(replay));
  return { pathOf, warnings: replayWarnings(scenarios, read, pathOf) };
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
