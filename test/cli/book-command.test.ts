/** The options of `book` and `stress` from a command line. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { addBookCommand } from '#src/cli/book-command.js';
import { addStressCommand } from '#src/cli/stress-command.js';
import type { DeskResult } from '#src/desk/result.js';
import { recorded } from '../support/recorded-output.ts';

let folder: string;
let tape: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'book-command-'));
  tape = join(folder, 'tape.csv');
  writeFileSync(
    tape,
    'Nr,Pfand,Menge,Betrag,Call,LLTV\na,BTC,"1,5",50000,75,85\n'.replaceAll(',', ';').replace('"1;5"', '1,5'),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  process.exitCode = undefined;
});

const run = (...words: string[]) =>
  recorded(async output => {
    const program = new Command('test').exitOverride().configureOutput({ writeErr: output.err });
    const environment = { MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '1' };
    addBookCommand(program, environment, ['book', ...words], output);
    try {
      await program.parseAsync(['book', ...words], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
    }
  });

describe('The options of book', () => {
  it('are read, and are in the result without the address of a channel', async () => {
    const { out, err } = await run(
      tape,
      ...['--columns', 'Nr=loan_id', 'Pfand=collateral_asset', 'Menge=collateral_amount'],
      ...['--columns', 'Betrag=loan_amount', 'Call=margin_call_ltv', 'LLTV=liquidation_ltv'],
      ...['--default', 'loan_asset=USD', 'grace_hours=24', '--percent', 'margin_call_ltv', 'liquidation_ltv'],
      ...[
        '--decimal',
        'comma',
        '--as-of',
        '2024-06-30',
        '--days',
        '10',
        '--types',
        'GBM',
        '--lookback',
        '60',
      ],
      ...['--paths', '50', '--levels', '0.9', '0.975', '--no-stress', '--backtest-days', '0', '--seed', '3'],
      ...['--notify', 'https://hooks.example/secret', '--title', "Ann's loans", '--json', '-'],
    );
    expect(err.replace(/^.*: \d+ % done.*\n/gm, '')).toBe('');
    const { Run, Loans, Stress, Backtest, Title } = JSON.parse(out) as DeskResult;
    expect(Run).toMatchObject({
      Types: ['GBM'],
      Levels: [0.9, 0.975],
      HorizonDays: 10,
      LookbackDays: 60,
      Paths: 50,
      Seed: 3,
      Command: expect.stringMatching(/--notify URL --title 'Ann'\\''s loans' --json -$/),
    });
    expect([Title, Stress, Backtest]).toEqual(["Ann's loans", null, null]);
    expect(Loans).toEqual([
      expect.objectContaining({ Id: 'a', LoanUsd: 50_000, MarginCallLtv: 0.75, Days: 10 }),
    ]);
  });

  it.each([
    [['--columns', 'Nr'], 'It is written "name in the file=column".'],
    [['--columns', 'Nr=loan_idd'], 'There is no column loan_idd; is it loan_id?'],
    [['--proxy', 'PEPE'], 'It is written PEPE=ETH, or PEPE=ETH*1.3 with a beta from -10 to 10.'],
    [['--proxy', 'PEPE=ETH*11'], 'It is written PEPE=ETH, or PEPE=ETH*1.3 with a beta from -10 to 10.'],
    [['--default', 'loan_asset='], 'It is written column=value.'],
    [['--default', 'loan_id=7'], 'loan_id differs from row to row.'],
    [['--percent', 'x'], 'There is no column x; there are loan_id, '],
    [['--fractions', 'x'], 'There is no column x; there are loan_id, '],
    [['--as-of', '30.06.2024'], 'It is a day, written YYYY-MM-DD.'],
    [['--days', '0'], 'It must be a whole number from 1 to 3650.'],
    [['--sale-cost', '0.7'], 'It must be a number from 0 to 0.5.'],
    [['--levels', '99'], 'It must be a number between 0 and 1: 0.99.'],
    [['--types', 'LOGNORMAL'], 'Allowed choices are GBM, '],
    [['--notify', 'hooks.example'], 'It must be an address that begins with http:// or https://.'],
    [['--compare', 'last'], '--compare last needs --runs'],
  ])('are refused with the reason: %s', async (words, message) => {
    const { out, err } = await run(tape, ...words);
    expect(out).toBe('');
    expect(err).toContain(message);
    // The address of a channel is a secret.
    expect(err).not.toContain('hooks.example');
  });
});

describe.each([
  {
    name: 'book',
    add: addBookCommand,
    usual: {
      types: ['STUDENT_T', 'GBM', 'FHS', 'BOOTSTRAP', 'HISTORICAL'],
      lookback: 365,
      paths: 20_000,
      levels: [0.95, 0.99],
      falls: [0.2, 0.3, 0.5],
      stress: true,
      backtestDays: 250,
      title: 'Risk of the loan book',
    },
    bounds: { '--lookback': [2, 3650], '--paths': [1, 1_000_000], '--backtest-days': [0, 3650] },
  },
  {
    name: 'stress',
    add: addStressCommand,
    usual: { scenarios: ['all'], type: 'STUDENT_T', lookback: 365, paths: 20_000, levels: [0.95, 0.99] },
    bounds: { '--lookback': [2, 3650], '--paths': [0, 1_000_000] },
  },
])('The options of $name', ({ add, usual, bounds }) => {
  const output = { out: () => {}, err: () => {}, terminal: false };
  const program = new Command('test');
  add(program, {}, [], output);
  const [command] = program.commands;

  it('are these where none is given', () => {
    expect(command.opts()).toEqual({ ...usual, days: 30, saleDelay: 24, saleCost: 0.01, seed: 1 });
  });

  const all = { ...bounds, '--days': [1, 3650], '--sale-delay': [0, 720], '--seed': [0, 2 ** 32 - 1] };
  it.each(Object.entries(all))('have bounds, and are whole numbers between them: %s', (long, [low, high]) => {
    const read = command.options.find(option => option.long === long)?.parseArg;
    for (const value of [low, high]) expect(read?.(String(value), undefined)).toBe(value);
    for (const value of [low - 1, low + 0.5, high + 1])
      expect(() => read?.(String(value), undefined), `${value}`).toThrow(
        `It must be a whole number from ${low} to ${high}.`,
      );
  });
});
