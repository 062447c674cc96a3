/** The options of `account`. Its implementation is loaded when it is called. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { methodologiesOf } from '../models/methodology/methodologies.ts';
import type { AccountOptions } from './account.ts';
import { computeOption, formatOption, inRange, seedOption, urlOption, withMarket } from './options.ts';
import type { Environment, Output } from './output.ts';

/** `BTC=1.5`, one at a time. */
function balance(text: string, known: Readonly<Record<string, number>> = {}): Record<string, number> {
  const [symbol, amount, ...more] = text.split('=');
  const units = Number(amount);
  if (
    symbol === '' ||
    amount === undefined ||
    amount.trim() === '' ||
    more.length > 0 ||
    !Number.isFinite(units)
  )
    throw new InvalidArgumentError(
      `A balance is written SYMBOL=UNITS, such as BTC=1.5 or USD=-20000; got ${text}.`,
    );
  if (Object.hasOwn(known, symbol)) throw new InvalidArgumentError(`${symbol} is named twice.`);
  return { ...known, [symbol]: units };
}

export function addAccountCommand(program: Command, environment: Environment, output: Output): void {
  program
    .command('account')
    .description('the risk of an account of perpetuals: its positions are the rows of a CSV file')
    .argument(
      '<positions>',
      'CSV file with columns of the names of a position: market, contract_type, position_size, entry_price, funding_rate, ...; - reads standard input',
    )
    .requiredOption('--collateral <balances...>', 'balances, such as USD=25000 BTC=0.5', balance)
    .option('--venue <name>', 'venue whose rules apply (docs/accounts.md)', 'simple')
    .option('--hours <hours>', 'hours that the account is followed', inRange(1, 87_600, true), 168)
    .addOption(
      new Option('--type <type>', 'methodology')
        .choices(methodologiesOf('account').map(({ name }) => name))
        .default('GBM'),
    )
    .option('--lookback <days>', 'days that the model is fitted to', inRange(1, 1000, true), 90)
    .option('--paths <paths>', 'Monte Carlo paths', inRange(1, 1e6, true))
    .option('--date <day>', 'last day of the window, MM-DD-YYYY; today by default')
    .addOption(urlOption())
    .addOption(seedOption())
    .addOption(computeOption())
    .option('--include <members>', 'further members of the answer, with commas between')
    .option('--market <path>', 'without --url: market store, or "sample" (MARKET_DB)')
    .addOption(formatOption())
    .action(async (file: string, { market, ...options }: AccountOptions & { market?: string }) => {
      const { accountCommand } = await import('./account.ts');
      process.exitCode = await accountCommand(file, options, withMarket(environment, market), output);
    });
}
