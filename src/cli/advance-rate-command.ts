/** The options of `advance-rate`. Its implementation is loaded when it is called. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { USUAL } from '../core/figures/usual.ts';
import { methodologiesOf } from '../models/methodology/methodologies.ts';
import type { AdvanceRateOptions } from './advance-rate.ts';
import {
  computeOption,
  formatOption,
  fractions,
  inRange,
  seedOption,
  urlOption,
  withMarket,
} from './options.ts';
import type { Environment, Output } from './output.ts';

type Weights = Readonly<Record<string, number>>;

/** `BTC`, or `BTC=0.6`, one at a time. */
function weight(text: string, known: Weights = {}): Weights {
  const [symbol, share = '1', ...more] = text.split('=');
  const value = Number(share);
  if (symbol === '' || share.trim() === '' || more.length > 0 || !(value > 0 && value <= 1))
    throw new InvalidArgumentError(`A basket is written SYMBOL, or SYMBOL=SHARE of 1 each; got ${text}.`);
  if (Object.hasOwn(known, symbol)) throw new InvalidArgumentError(`${symbol} is named twice.`);
  return { ...known, [symbol]: value };
}

const hours = inRange(1, 8760, true);

export function addAdvanceRateCommand(program: Command, environment: Environment, output: Output): void {
  program
    .command('advance-rate')
    .description('how much may be lent against collateral that takes hours to sell')
    .argument('<collateral...>', 'a coin, or shares such as BTC=0.6 ETH=0.4', weight)
    .option('--debt <shares...>', 'the same of the debt (default: USD)', weight)
    .option(
      '--hours <hours...>',
      'hours from the beginning of an exposure to the end of the sale (default: 48)',
      (text: string, known: readonly number[] = []) => [...known, hours(text)],
    )
    .addOption(
      new Option('--measure <measure>', 'sold at the worst hour, or at the end')
        .choices(['lowest', 'end'])
        .default('lowest'),
    )
    .option('--sale-cost <share>', 'share of the proceeds that the sale costs', inRange(0, 0.5), 0)
    .option('--confidence <levels...>', 'levels of confidence (default: 0.95 0.99 0.999)', fractions())
    .option('--expected-loss <shares...>', 'mean losses as shares of the debt', fractions(1, 0.001))
    .option('--rate <rates...>', 'given rates, debt over collateral', fractions(2, 0.72))
    .option('--after-fall <share>', 'begin after such a fall', inRange(0, 0.95))
    .option('--within-hours <hours>', 'hours within which the fall is looked for', hours, 720)
    .addOption(
      new Option('--type <type>', 'methodology')
        .choices(methodologiesOf('advance-rate').map(({ name }) => name))
        .default(USUAL.type),
    )
    .option('--lookback <days>', 'days of prices', inRange(2, 3650, true), USUAL.lookbackDays)
    .option('--paths <paths>', 'Monte Carlo paths', inRange(1, 1e7, true))
    .option('--date <day>', 'last day of the window, MM-DD-YYYY; today by default')
    .addOption(urlOption())
    .addOption(seedOption())
    .addOption(computeOption())
    .option('--include <members>', 'further members of the answer, with commas between')
    .option('--market <path>', 'without --url: market store, or "sample" (MARKET_DB)')
    .addOption(formatOption())
    .action(async (collateral: Weights, { market, ...options }: AdvanceRateOptions & { market?: string }) => {
      const { advanceRateCommand } = await import('./advance-rate.ts');
      process.exitCode = await advanceRateCommand(
        collateral,
        options,
        withMarket(environment, market),
        output,
      );
    });
}
