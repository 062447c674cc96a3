/**
 * The options of `stress`. Loads what answers it only once it is called.
 */
import { type Command, Option } from 'commander';
import { fractions, inRange, KNOWN_TYPES, type TapeSent, tapeOptions, tapeTermsOf } from './book-command.ts';
import type { Output } from './market-command.ts';
import type { StressOptions } from './stress.ts';

/** In the place of names: every scenario of the server. */
const ALL = 'all';

interface Sent extends TapeSent {
  readonly scenarios: readonly string[];
  readonly falls?: readonly number[];
  readonly type: StressOptions['type'];
  readonly lookback: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelay: number;
  readonly saleCost: number;
  readonly seed: number;
  readonly json?: string;
  readonly market?: string;
}

/** @param seed reads a seed @param setMarket sets in the environment which market is opened */
export function addStressCommand(
  program: Command,
  {
    seed,
    setMarket,
    environment,
    output,
  }: {
    readonly seed: (text: string) => number;
    readonly setMarket: (market: string | undefined) => void;
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly output: Output;
  },
): void {
  tapeOptions(program.command('stress'))
    .description('the loans of a tape (CSV or XLSX) under falls of all prices and replays of past windows')
    .option('--scenarios <names...>', 'names of GET /scenarios, or all', [ALL])
    .option('--falls <fractions...>', 'falls of all prices at once but those of stablecoins', fractions())
    .addOption(
      new Option('--type <type>', 'methodology of the simulation').choices([...KNOWN_TYPES]).default('FHS'),
    )
    .option('--lookback <days>', 'days that the model is fitted to', inRange(2, 3650, true), 365)
    .option(
      '--paths <paths>',
      'Monte Carlo paths of each scenario; 0 for shocks and replays alone',
      inRange(0, 1e6, true),
      5000,
    )
    .option('--levels <levels...>', 'levels of losses', fractions(), [0.99])
    .option('--sale-delay <hours>', 'from a liquidation to the sale', inRange(0, 720, true), 24)
    .option('--sale-cost <fraction>', 'part of a sale that is lost', inRange(0, 0.5), 0.01)
    .option('--seed <seed>', 'seed of the random numbers', seed, 1)
    .option('--json <file>', 'write the scenarios; - is standard output, in the place of the table')
    .option('--market <path>', 'market store, or "sample" (MARKET_DB)')
    .action(async (tape: string, sent: Sent) => {
      setMarket(sent.market);
      const { stressCommand } = await import('./stress.ts');
      process.exitCode = await stressCommand(tape, optionsOf(sent), environment, output);
    });
}

function optionsOf(sent: Sent): StressOptions {
  const { sheet, asOf, json, scenarios } = sent;
  return {
    tape: tapeTermsOf(sent),
    ...(sheet !== undefined && { sheet }),
    ...(asOf !== undefined && { asOf }),
    ...(json !== undefined && { json }),
    ...(scenarios.includes(ALL) ? {} : { scenarios }),
    skipFaulty: sent.skipFaulty === true,
    horizonDays: sent.days,
    type: sent.type,
    lookbackDays: sent.lookback,
    paths: sent.paths,
    levels: sent.levels,
    saleDelayHours: sent.saleDelay,
    saleCost: sent.saleCost,
    seed: sent.seed,
    falls: sent.falls ?? [],
  };
}
