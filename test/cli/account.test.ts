/** `account`: positions from a CSV file, and the answer of the request that they make. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountCommand } from '#src/cli/account.js';
import { ask } from '#src/cli/ask.js';
import { NoPositions, positionsOf } from '#src/tape/account-positions.js';
import { recorded } from '../support/recorded-output.ts';

const CSV = `id;market;contract_type;position_size;entry_price;mark_price;funding_rate;funding_interval_hour
a;BTC;linear;1;60000;60000;0.0001;8
;ETH;linear;-10;3300;3300;-1e-4;8
`;

describe('Positions in a CSV file', () => {
  it('are rows of a request, blank cells absent', () => {
    const common = { contract_type: 'linear', funding_interval_hour: 8 };
    expect(positionsOf(CSV).positions).toEqual([
      {
        ...common,
        id: 'a',
        market: 'BTC',
        position_size: 1,
        entry_price: 60_000,
        mark_price: 60_000,
        funding_rate: 0.0001,
      },
      {
        ...common,
        market: 'ETH',
        position_size: -10,
        entry_price: 3_300,
        mark_price: 3_300,
        funding_rate: -0.0001,
      },
    ]);
  });

  it('are refused with every fault at its line', () => {
    const text = 'market,size,entry_price,entry_price\nBTC,1,"60,000",1\nETH,1,x,1,2\n';
    expect(() => positionsOf(text)).toThrow(NoPositions);
    const { message } = (() => {
      try {
        positionsOf(text);
        return new Error();
      } catch (error) {
        return error as Error;
      }
    })();
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/column 2, "size", is unknown; known are id, market/),
      expect.stringMatching(/column 4, "entry_price", is there twice/),
      expect.stringMatching(/line 2: entry_price must be a number .* got "60,000"/),
      expect.stringMatching(/line 3 has 5 cells for 4 columns/),
      expect.stringMatching(/line 3: entry_price must be a number .* got "x"/),
    ]);
    expect(() => positionsOf('market\n')).toThrow(/no row below its header/);
  });
});

describe('The command account', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'account-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const environment = { MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '1' };
  const OPTIONS = {
    collateral: { USD: 9_000 },
    venue: 'simple',
    type: 'GBM',
    hours: 24,
    lookback: 30,
    paths: 50,
    date: '06-30-2024',
    format: 'json',
  } as const;

  it('answers as ask does for the same request', async () => {
    const csv = file('p.csv', CSV);
    const own = await recorded(output => accountCommand(csv, OPTIONS, environment, output));
    const params = {
      collateral: OPTIONS.collateral,
      positions: positionsOf(CSV).positions,
      venue: 'simple',
      horizon_hours: 24,
      model_lookback: 30,
      mc_iter: 50,
      analysis_date: '06-30-2024',
    };
    const body = file('a.json', JSON.stringify({ type: 'GBM', params }));
    const asked = await recorded(output => ask(body, { format: 'json' }, environment, output));
    expect(own).toEqual(asked);
    expect(own.code).toBe(0);
    expect(JSON.parse(own.out)).toHaveProperty('Results.PrForcedClose');
  });

  it('ends with 1 and the faults of the request at their lines and options', async () => {
    const csv = file('r.csv', `${CSV}\nb;NOPE;linear;1;1;1;0.0001;8\nb;BTC;cubic;1;1;1;0.0001;8\n`);
    const options = { ...OPTIONS, venue: 'nowhere', lookback: 0, collateral: { USD: 1, NADA: 2 } };
    const { code, out, err } = await recorded(output => accountCommand(csv, options, environment, output));
    expect([code, out]).toEqual([1, '']);
    const lines = err.trim().split('\n');
    expect(lines[0]).toBe('The request is not valid.');
    expect(lines.slice(1)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^--venue: venue must be .*simple.*got "nowhere"$/),
        expect.stringMatching(/^--lookback: model_lookback must be a whole number from /),
        expect.stringMatching(/r\.csv:6: contract_type must be one of linear, inverse; got "cubic"$/),
      ]),
    );
    expect(lines.every(line => !line.includes('params.'))).toBe(true);
  });

  it('ends with 2 and the faults of the file', async () => {
    const csv = file('q.csv', 'market,size\nBTC,1\n');
    const { code, err } = await recorded(output => accountCommand(csv, OPTIONS, environment, output));
    expect(code).toBe(2);
    expect(err).toMatch(/q\.csv: column 2, "size", is unknown/);
  });
});
