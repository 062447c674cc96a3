/**
 * The command line of the market store: import files, follow exchanges, list and check series.
 *
 * Takes: arguments, the configuration. Gives: text, and an exit code: 0 done, 1 refused or failed, 2 not understood.
 */
import { Command, CommanderError } from 'commander';
import { marketCommand } from '../host/market-command.ts';
import { ImportError } from '../market/import/import-error.ts';
import { MarketStoreError } from '../market/store/store-error.ts';
import { printableLines } from '../text/printable.ts';
import type { MarketCall, MarketPlace } from './market-command.ts';
import { addImport } from './market-import.ts';
import { addCheck, addKeep, addList, addRemove, addRescale, addUndo } from './market-store.ts';
import { addSync } from './market-sync.ts';
import { EXIT, type Output } from './output.ts';

const STORE = `
The store is the folder that MARKET_DB names (default data/market); the first import creates it. A running server loads
a new version within seconds. Without MARKET_DB and without that folder the server serves a synthetic sample market.
docs/market-data.md has the formats. Exit codes: 0 done, 1 refused or failed, 2 not understood.`;

function marketProgram(call: MarketCall, complain: (text: string) => void): Command {
  const command = marketCommand();
  const program = new Command(command)
    .description('Market data of the risk engine.')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: call.output.out, writeErr: complain })
    .showHelpAfterError(`Try: ${command} --help`)
    .addHelpText('after', STORE)
    .hook('preAction', () => {
      if (call.store === 'sample')
        throw new MarketStoreError(
          'MARKET_DB=sample names the sample market, which is not a store: set MARKET_DB to a folder',
        );
    });
  for (const add of [addImport, addSync, addCheck, addList, addRemove, addRescale, addUndo, addKeep])
    add(program, call);
  return program;
}

/** Runs the command that `args` names. @returns the exit code; errors that the user can correct are printed */
export async function runMarketCommand(
  args: readonly string[],
  place: MarketPlace,
  given: Output,
): Promise<number> {
  // Names of files and messages of libraries may contain control characters.
  const output: Output = { ...given, out: text => given.out(printableLines(text)) };
  const complain = (text: string) => given.err(printableLines(text));
  try {
    await marketProgram({ ...place, output }, complain).parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.notUnderstood;
    if (error instanceof ImportError) complain(`Nothing was imported.\n${error.message}\n`);
    else if (error instanceof MarketStoreError || isSystemError(error)) complain(`${error.message}\n`);
    else throw error;
    return EXIT.refused;
  }
}

/** An error of the file system, with a sufficient message. */
const isSystemError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;
