/** The options of `stress`. Its implementation is loaded when it is called. */
import { type Command, Option } from 'commander';
import { USUAL } from '../core/figures/usual.ts';
import type { MethodologyName } from '../models/methodology/methodologies.ts';
import { commandText, fractions, inRange, withMarket } from './options.ts';
import type { Environment, Output } from './output.ts';
import {
  addRunOptions,
  addTapeOptions,
  BOOK_TYPES,
  type TapeRunSent,
  tapeRunOptions,
} from './tape-options.ts';

/** The name for every scenario of the server. */
const ALL = 'all';

interface Sent extends TapeRunSent {
  readonly scenarios: readonly string[];
  readonly falls?: readonly number[];
  readonly type: MethodologyName;
}

/** @param words the whole command line */
export function addStressCommand(
  program: Command,
  environment: Environment,
  words: readonly string[],
  output: Output,
): void {
  const command = addTapeOptions(program.command('stress'))
    .description(
      'the loans of a tape (CSV or XLSX) under falls and rises of all prices and replays of past windows',
    )
    .option('--scenarios <names...>', 'names of GET /scenarios, or all', [ALL])
    .option(
      '--falls <fractions...>',
      'falls of all prices at once except currencies and stablecoins',
      fractions(),
    )
    .addOption(
      new Option('--type <type>', 'methodology of the simulation').choices(BOOK_TYPES).default(USUAL.type),
    )
    .option(
      '--lookback <days>',
      'days that the model is fitted to',
      inRange(2, 3650, true),
      USUAL.lookbackDays,
    )
    .option(
      '--paths <paths>',
      'Monte Carlo paths of each scenario; 0 for shocks and replays alone, under every --type. HISTORICAL draws none: any other number simulates its windows',
      inRange(0, 1e6, true),
      USUAL.paths,
    )
    .option('--levels <levels...>', 'levels of losses', fractions(), [...USUAL.levels]);
  addRunOptions(command)
    .option(
      '--json <file>',
      'write the scenarios, with version, seed and data; - is standard output, instead of the table',
    )
    .option('--market <path>', 'market store, or "sample" (MARKET_DB)')
    .action(async (tape: string, sent: Sent) => {
      const { scenarios, ...own } = sent;
      const { type, falls = [] } = own;
      const options = {
        ...tapeRunOptions(own, falls),
        ...(scenarios.includes(ALL) ? {} : { scenarios, rises: sent.rises ?? [] }),
        type,
        command: commandText(words),
      };
      const { stressCommand } = await import('./stress.ts');
      process.exitCode = await stressCommand(tape, options, withMarket(environment, sent.market), output);
    });
}
