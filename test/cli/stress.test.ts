/** `stress`: the loans of a tape under scenarios, on the sample market. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type StressResult, stressCommand } from '#src/cli/stress.js';
import type { StressOptions } from '#src/cli/tape-options.js';
import { engineVersion } from '#src/host/engine-version.js';
import { TAPE_DAY, tapeCsv } from '../../docs/tools/loan-tape.mjs';
import { recorded } from '../support/recorded-output.ts';
import { describeWithSharedData } from '../support/shared-data.ts';

const VERSION = engineVersion();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stress-'));
  writeFileSync(join(folder, 'tape.csv'), tapeCsv());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIONS: StressOptions = {
  tape: {},
  skipFaulty: true,
  asOf: Date.parse(TAPE_DAY) / 86_400_000,
  horizonDays: 30,
  type: 'GBM',
  lookbackDays: 60,
  paths: 0,
  levels: [0.99],
  saleDelayHours: 24,
  saleCost: 0.01,
  seed: 7,
  falls: [0.3],
  scenarios: ['october-2025'],
  command: 'collateral-risk-engine stress tape.csv',
};

async function run(options: Partial<StressOptions> = {}, file = 'tape.csv') {
  const environment = { MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '1' };
  const { code, out, err } = await recorded(output =>
    stressCommand(join(folder, file), { ...OPTIONS, ...options }, environment, output),
  );
  return { code, out, err: err.replaceAll(folder, '') };
}

describe('The command stress', () => {
  it('prints a line for each scenario, left-out loans and replaced prices', async () => {
    const { code, out, err } = await run();
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining('2 loans of 125,000 USD left out for their faults: L-0050, L-0150.'),
    });
    expect(err).toContain('\n198 loans without top_up_share: nobody answers a call');
    expect(err).toContain('a replay uses BNB by ETH, beta 1');
    const [loans, ...lines] = out.trimEnd().split('\n');
    expect(loans).toBe(
      `198 loans, data as of 2024-06-30, 24:00 UTC, synthetic prices of the sample market; no simulation, seed 7, version ${VERSION}`,
    );
    expect(lines.map(line => line.split('  ')[0])).toEqual([
      'scenario',
      'As it is',
      'All prices fall 30 %',
      'Liquidations of 10 October 2025',
    ]);
  });

  it('says how far all prices must fall until a bound is reached, with the forward run in the table', async () => {
    const until = [{ text: 'ltv 90%', word: 'ltv', bound: 0.9 }] as const;
    const { code, out } = await run({ until, falls: [], scenarios: [] });
    expect(code).toBe(0);
    expect(out).toMatch(/^All prices must fall by \d+\.\d % before its LTV is 90 %\.$/m);
    expect(out).toMatch(/^All prices fall until ltv 90% +90\.0 %/m);
  });

  it('simulates the remaining loans if paths are requested, and writes the figures', async () => {
    const json = join(folder, 'stress.json');
    const waterfall = {
      tranches: [
        { name: 'equity', attach: 0, detach: 0.01 },
        { name: 'senior', attach: 0.01, detach: 1 },
      ],
    };
    const { code, out, err } = await run({
      paths: 200,
      levels: [0.95, 0.9995],
      json,
      waterfall,
      falls: [0.3, 0.4],
    });
    expect(out).toMatch(
      / on the way, USD +then lost on average, USD +in the worst 5 %, USD +in the worst 0\.05 %, USD +lost on average of equity +lost on average of senior\n/,
    );
    expect(code, err).toBe(0);
    const { Scenarios: scenarios } = JSON.parse(readFileSync(json, 'utf8')) as StressResult;
    expect(scenarios.map(({ Name }) => Name)).toEqual(['base', 'fall 30 %', 'fall 40 %', 'october-2025']);
    const [base, fall, deeper, october] = scenarios;
    expect(fall.Ltv).toBeGreaterThan(base.Ltv);
    expect(fall.Then?.ExpectedLoss).toBeGreaterThan(Number(base.Then?.ExpectedLoss));
    expect(october.Replay?.Called).toBeGreaterThan(0);
    // The tranches, of 1 and 99 % of the loan value, bear the whole loss.
    const borne = ({ Then }: (typeof scenarios)[number]) =>
      (0.01 * Number(Then?.TrancheLossPct?.equity) + 0.99 * Number(Then?.TrancheLossPct?.senior)) /
      Number(Then?.ExpectedLoss);
    expect(borne(deeper) / borne(fall)).toBeCloseTo(1, 9);
  });

  it('has a rise of all prices where a loan is in a coin, unless scenarios are chosen or others are named', async () => {
    writeFileSync(
      join(folder, 'coin.csv'),
      'loan_id,collateral_asset,collateral_value,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours\n' +
        's,USDC,100000,BTC,1,0.75,0.85,24\n',
    );
    const scenariosOf = async (options: Partial<StressOptions>) => {
      const { code, out, err } = await run({ falls: [], json: '-', ...options }, 'coin.csv');
      expect(code, err).toBe(0);
      return (JSON.parse(out) as StressResult).Scenarios;
    };
    const [base, rise, ...others] = await scenariosOf({ scenarios: undefined });
    expect([base.Name, rise.Name, rise.Title]).toEqual(['base', 'rise 30 %', 'All prices rise 30 %']);
    expect(rise.Ltv).toBeCloseTo(1.3 * base.Ltv, 9);
    expect(rise.Called.Loans + rise.Liquidated.Loans, String(rise.Ltv)).toBe(1);
    expect(others.map(({ Name }) => Name)).not.toContain(rise.Name);
    expect((await scenariosOf({ rises: [] })).map(({ Name }) => Name)).toEqual(['base', 'october-2025']);
    expect((await scenariosOf({ rises: [1.5] })).map(({ Name }) => Name)).toEqual([
      'base',
      'rise 150 %',
      'october-2025',
    ]);
  });

  it('runs every scenario of the server by default', async () => {
    const { code, out } = await run({ scenarios: undefined, json: '-' });
    expect(code).toBe(0);
    expect((JSON.parse(out) as StressResult).Scenarios).toHaveLength(9);
  });

  it('writes with the scenarios what repeats them: version, seed, data, terms and the tape', async () => {
    const { code, out } = await run({ json: '-' });
    expect(code).toBe(0);
    const { MadeAt, Tape, Data, Run, Warnings } = JSON.parse(out) as StressResult;
    expect(new Date(MadeAt).toISOString()).toBe(MadeAt);
    expect(Run).toEqual({
      ...{ Version: VERSION, Seed: 7, Type: 'GBM', LookbackDays: 60, Paths: 0, HorizonDays: 30 },
      ...{ Levels: [0.99], SaleDelayHours: 24, SaleCost: 0.01 },
      Command: 'collateral-risk-engine stress tape.csv',
    });
    expect(Data).toMatchObject({
      AsOf: '2024-07-01T00:00Z',
      Market: 'sample',
      Synthetic: true,
      Behind: null,
    });
    expect(Data.Prices.BTC).toBeGreaterThan(0);
    expect(Tape).toMatchObject({ Rows: 233, Loans: 198, Sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(Tape.LeftOut.map(({ Id }) => Id)).toEqual(['L-0050', 'L-0150']);
    expect(Tape.Notes.map(({ Note }) => Note)).toContain('no-answer');
    expect(Warnings.map(({ code: name }) => name)).toContain('replay-proxy');
  });

  it('simulates nothing with 0 paths under any methodology, and has no columns of a simulation', async () => {
    const json = join(folder, 'none.json');
    const gbm = await run({ json });
    const { Scenarios } = JSON.parse(readFileSync(json, 'utf8')) as StressResult;
    expect(Scenarios.map(({ Then }) => Then)).toEqual([null, null, null]);
    expect(gbm.out).toMatch(/ lost on the way, USD\n/);
    const historical = await run({ type: 'HISTORICAL', json });
    expect(historical.out).toBe(gbm.out);
    expect(historical.out).toContain('no simulation');
    const found = JSON.parse(readFileSync(json, 'utf8')) as StressResult;
    expect(found.Run).toMatchObject({ Type: 'HISTORICAL', Paths: 0 });
    expect(found.Scenarios).toEqual(Scenarios);
  });

  it('prints the highest LTV of the book along a replay, and loans in call at once apart from those on the way', async () => {
    const { out } = await run({ json: join(folder, 'highest.json') });
    const { Scenarios } = JSON.parse(readFileSync(join(folder, 'highest.json'), 'utf8')) as StressResult;
    const replayed = Scenarios[2];
    const { Called, Liquidated, Replay } = replayed;
    const counts = [Called.Loans, Liquidated.Loans, Replay?.Called, Replay?.Liquidated, Replay?.ClosedOut];
    expect(out).toMatch(new RegExp(`10 October 2025 +[\\d.]+ % +${counts.join(' +')} `));
    // At once after a shock, and nothing on the way.
    expect(out).toMatch(
      new RegExp(
        `fall 30 % +[\\d.]+ % +${Scenarios[1].Called.Loans} +${Scenarios[1].Liquidated.Loans}\\s*\\n`,
      ),
    );
    const highest = 100 / Number(replayed.Replay?.Lowest);
    expect(highest).toBeGreaterThan(100 * replayed.Ltv);
    expect(out).toMatch(new RegExp(`highest LTV[^]*10 October 2025 +${highest.toFixed(1)} %`));
  });

  it('has no number of paths under a methodology that draws none', { tags: ['slow'] }, async () => {
    const type = 'HISTORICAL';
    const { out } = await run({ type, paths: 1, json: '-' });
    expect((JSON.parse(out) as StressResult).Run).toMatchObject({ Type: type, Paths: null });
  });

  it.skipIf(!existsSync('/dev/full'))(
    'names the file that could not be written because the disk is full',
    async () => {
      const { code, err } = await run({ json: '/dev/full' });
      expect(code).toBe(1);
      expect(err).toContain('/dev/full cannot be written: ENOSPC');
    },
  );

  it('refuses an unknown scenario, faults of the tape, and a missing file', async () => {
    const unknown = await run({ scenarios: ['october-2052', 'covid-2020'] });
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toContain('--scenarios: unknown "october-2052"; there are covid-2020, ');
    const faulty = await run({ skipFaulty: false, scenarios: ['october-2052'] });
    expect(faulty).toMatchObject({ code: 1, out: '' });
    expect(faulty.err).toContain('unknown "october-2052"');
    expect(faulty.err).toContain('loan L-0050');
    expect((await run({}, 'none.csv')).code).toBe(2);
    const unwritable = await run({ json: join(folder, 'none', 'stress.json') });
    expect(unwritable).toMatchObject({ code: 2, err: expect.stringContaining('there is no folder') });
  });
});

it('The tape of the README is the output of docs/tools/loan-tape.mjs', () => {
  const published = readFileSync(new URL('../../docs/desk/tape.csv', import.meta.url), 'utf8');
  expect(published).toBe(tapeCsv());
});

describeWithSharedData('A tape of coins that have daily closes only', dataDir => {
  it('is replayed by these, and by no other coin at its beta 1', { tags: ['slow'] }, async () => {
    const tape = join(dataDir, '../cases/tapes/alts-24.csv');
    const options = { ...OPTIONS, asOf: Date.parse('2026-02-27') / 86_400_000, falls: [], json: '-' };
    const { code, out, err } = await recorded(output =>
      stressCommand(tape, options, { MARKET_DB: inject('realMarketDb'), COMPUTE: 'cpu' }, output),
    );
    expect(code, err).toBe(0);
    const [, october] = (JSON.parse(out) as StressResult).Scenarios;
    // Six with ETH in place of each coin, three on straight lines between closes.
    expect(october.Replay).toMatchObject({ Liquidated: 13, Matured: 0 });
    expect(err).toContain('a replay uses AAVE between its daily closes by the hours of ETH; AVAX between');
  });
});
