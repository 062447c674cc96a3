/** `advance-rate`: its options as the request that they make. */
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { addAdvanceRateCommand } from '#src/cli/advance-rate-command.js';
import { recorded } from '../support/recorded-output.ts';

/** The answer of the command on the sample market. */
async function answered(...words: string[]) {
  const common = ['--date', '06-30-2024', '--lookback', '60', '--paths', '200'];
  const { out } = await recorded(async output => {
    const program = new Command().exitOverride();
    addAdvanceRateCommand(program, { MARKET_DB: 'sample', COMPUTE: 'cpu' }, output);
    await program.parseAsync(['node', 'x', 'advance-rate', ...words, ...common]);
    const { exitCode } = process;
    process.exitCode = undefined;
    return exitCode;
  });
  return JSON.parse(out);
}

it('asks for three confidences of a coin over two days where nothing else is named', async () => {
  const { Arguments, Output } = await answered('BTC');
  expect(Arguments).toMatchObject({
    collateral_weights: { BTC: 1 },
    loan_weights: { USD: 1 },
    exposure_hours: [48],
    measure: 'lowest',
    confidence: [0.95, 0.99, 0.999],
    mc_iter: 200,
  });
  expect(Object.keys(Output['48'])).toEqual(['Confidence']);
});

it('sends every option under the name of the interface', async () => {
  const { Arguments } = await answered(
    ...[
      'BTC=0.6',
      'ETH=0.4',
      '--debt',
      'USDC',
      '--hours',
      '24',
      '6',
      '--measure',
      'end',
      '--sale-cost',
      '0.02',
    ],
    ...['--expected-loss', '0.001', '--rate', '0.72', '0.8', '--after-fall', '0.01', '--within-hours', '48'],
    ...['--type', 'GBM'],
  );
  expect(Arguments).toMatchObject({
    collateral_weights: { BTC: 0.6, ETH: 0.4 },
    loan_weights: { USDC: 1 },
    exposure_hours: [24, 6],
    measure: 'end',
    sale_cost: 0.02,
    expected_loss: [0.001],
    advance_rate: [0.72, 0.8],
    after_fall: { fall: 0.01, within_hours: 48 },
  });
  expect(Arguments).not.toHaveProperty('confidence');
});
