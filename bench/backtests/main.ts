/**
 * The tables of docs/backtests.md, as Markdown on standard output.
 *
 *   node build/bench/backtests/main.js var | loans [--assets BTC ETH] [--types GBM FHS]
 *
 * Reads the market store of MARKET_DB; progress goes to standard error.
 */
import { Argument, Command } from 'commander';
import { progressLine } from '#src/cli/output.js';
import { LONG_RUN, printFailures, withOwnRisk } from '#src/cli/own-risk.js';
import { loanTable } from './loan-table.ts';
import { type TablePart, valueAtRiskTable } from './value-at-risk-table.ts';

const output = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
  terminal: process.stderr.isTTY === true,
};

await new Command('backtests')
  .description('the tables of docs/backtests.md')
  .addArgument(new Argument('<table>').choices(['var', 'loans']))
  .option('--assets <symbols...>', 'rows of these assets only')
  .option('--types <types...>', 'rows of these methodologies only')
  .action(async (name: 'var' | 'loans', part: TablePart) => {
    const make = name === 'var' ? valueAtRiskTable : loanTable;
    const progress = progressLine(output);
    process.exitCode = await printFailures(
      () =>
        withOwnRisk({ ...process.env, ...LONG_RUN }, async own => {
          output.out(`${await make(own, progress, part).finally(progress.end)}\n`);
          return 0;
        }),
      output,
    );
  })
  .parseAsync();
