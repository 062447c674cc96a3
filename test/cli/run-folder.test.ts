/** Folders of runs, and messages to a channel. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitsText, notify } from '#src/cli/book-notify.js';
import { lastResult, writeRun } from '#src/cli/run-folder.js';
import type { DeskResult } from '#src/desk/result.js';
import { DESK_RESULT } from '../support/desk-result.ts';

const BREACHED: DeskResult = {
  ...DESK_RESULT,
  Limits: [
    {
      Line: 1,
      Limit: 'loan LTV <= 0.7',
      Status: 'breached',
      Value: 0.8,
      Bound: 0.7,
      Of: '<b>',
      Breaching: ['<b>'],
      Unknown: [],
      Interval: null,
      WithinError: false,
      Sampling: 'none',
    },
    {
      Line: 2,
      Limit: 'called loans <= 7',
      Status: 'ok',
      Value: 1,
      Bound: 7,
      Of: null,
      Breaching: [],
      Unknown: [],
      Interval: null,
      WithinError: false,
      Sampling: 'none',
    },
  ],
};
const NOT_JUDGED: DeskResult = {
  ...DESK_RESULT,
  Limits: [
    {
      ...{ Line: 1, Limit: 'PeakDay <= 40% of daily volume', Status: 'unknown', Value: 0.3, Bound: 0.4 },
      ...{
        Of: 'BTC',
        Breaching: [],
        Unknown: ['WXYZ'],
        Interval: null,
        WithinError: false,
        Sampling: 'none',
      },
    },
    {
      ...{ Line: 2, Limit: 'scenario loss <= 9', Status: 'unknown', Value: null, Bound: 9 },
      ...{ Of: null, Breaching: [], Unknown: [], Interval: null, WithinError: false, Sampling: 'none' },
    },
  ],
};
const FILES = {
  'report.html': '<p>report',
  'result.json': '{}',
  'loans.csv': 'a\r\n',
  'loans.notes.txt': 'b\r\n',
  'calls.xlsx': Uint8Array.of(1),
};

describe('A folder of runs', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'runs-')), 'desk');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

  it('has a folder for each run, and a page that lists them, the newest first', () => {
    const first = writeRun(folder, DESK_RESULT, FILES);
    const second = writeRun(
      folder,
      { ...BREACHED, MadeAt: '2026-01-03T08:00:00.000Z', Title: 'Tomorrow <i>' },
      FILES,
    );
    expect(readdirSync(first).sort()).toEqual([
      ...['calls.xlsx', 'loans.csv', 'loans.notes.txt', 'report.html', 'result.json', 'summary.json'],
    ]);
    expect(second).toBe(join(folder, '2026-01-03T08-00-00-000Z'));
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect([...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '2026-01-03T08-00-00-000Z/report.html',
      '2026-01-02T08-00-00-000Z/report.html',
    ]);
    expect(page).toContain('Tomorrow &lt;i&gt;');
    expect(page).toContain('<span class="whole">2026-01-03 08:00</span>');
    expect(page).toContain('<span class="breached">1 of 2 breached</span>');
    expect(lastResult(folder)).toBe(join(second, 'result.json'));
  });

  it('shows on its page limits that cannot be judged as an alarm, and reads summaries without their number', () => {
    const both = [...(BREACHED.Limits ?? []), ...(NOT_JUDGED.Limits ?? [])];
    const first = writeRun(folder, BREACHED, FILES);
    const summary = join(first, 'summary.json');
    const old = JSON.parse(readFileSync(summary, 'utf8')) as { Limits: { Unknown?: number } };
    expect(old.Limits).toEqual({ Breached: 1, Unknown: 0, Close: 0, All: 2 });
    delete old.Limits.Unknown;
    writeFileSync(summary, JSON.stringify(old));
    writeRun(folder, { ...NOT_JUDGED, MadeAt: '2026-01-03T08:00:00.000Z' }, FILES);
    writeRun(folder, { ...BREACHED, Limits: both, MadeAt: '2026-01-04T08:00:00.000Z' }, FILES);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect([...page.matchAll(/<span class="breached">([^<]*)</g)].map(([, text]) => text)).toEqual([
      '1 of 4 breached, 2 of 4 not known',
      '2 of 2 not known',
      '1 of 2 breached',
    ]);
  });

  it('has no last result if it is missing, and ignores other files', () => {
    expect(lastResult(folder)).toBeUndefined();
    mkdirSync(join(folder, '2027-01-01T00-00-00-000Z'), { recursive: true });
    mkdirSync(join(folder, 'notes'));
    expect(lastResult(folder)).toBeUndefined();
  });

  it('contains nothing of a run that cannot be written', () => {
    writeRun(folder, DESK_RESULT, FILES);
    expect(() => writeRun(folder, DESK_RESULT, FILES)).toThrow(/ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder).sort()).toEqual(['2026-01-02T08-00-00-000Z', 'index.html']);
    expect(existsSync(join(folder, 'index.html'))).toBe(true);
    writeFileSync(join(folder, 'file'), '');
    expect(() => writeRun(join(folder, 'file'), DESK_RESULT, FILES)).toThrow(/EEXIST|ENOTDIR/);
  });
});

describe('A message to a channel', () => {
  let server: Server;
  let received: string[];
  let statuses: number[];
  let endless: boolean;
  let url: string;
  beforeEach(async () => {
    received = [];
    endless = false;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', piece => {
        body += String(piece);
      });
      request.on('end', () => {
        received.push(body);
        response.writeHead(statuses[Math.min(received.length, statuses.length) - 1]);
        if (endless) response.write('no');
        else response.end('no');
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/secret`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is JSON with a text, without links from names', async () => {
    statuses = [200];
    expect(await notify(url, 'a <b> & c', [])).toBeUndefined();
    expect(received).toEqual(['{"text":"a &lt;b&gt; &amp; c"}']);
  });

  it('is sent where the answer has no end, which is not read', async () => {
    statuses = [200];
    endless = true;
    expect(await notify(url, 'a', [])).toBeUndefined();
  });

  it('is cut after 3,000 characters', async () => {
    statuses = [200];
    for (const length of [3000, 3001]) expect(await notify(url, 'a'.repeat(length), [])).toBeUndefined();
    expect(received.map(body => JSON.parse(body).text)).toEqual(['a'.repeat(3000), `${'a'.repeat(3000)}…`]);
  });

  it('is sent again if the channel is busy or fails', async () => {
    statuses = [503, 429, 200];
    expect(await notify(url, 'again', [0, 0, 0])).toBeUndefined();
    expect(received).toHaveLength(3);
  });

  it('fails after the last attempt, and at once when refused', async () => {
    statuses = [500];
    expect(await notify(url, 'never', [0, 0])).toBe('it answered 500');
    expect(received).toHaveLength(3);
    statuses = [404];
    expect(await notify(url, 'never', [0, 0])).toBe('it answered 404');
    expect(received).toHaveLength(4);
  });

  it('does not contain the address that cannot be reached', async () => {
    server.close();
    await new Promise<void>(resolve => server.once('close', () => resolve()));
    expect(await notify(url, 'away', [])).toBe('it cannot be reached');
  });

  it('names breached limits with their values, and is absent without breaches', () => {
    expect(limitsText(BREACHED, 'Report: runs/1/report.html')).toBe(
      'Loans of today: 1 of 2 limits breached, data as of 2025-12-31, 24:00 UTC.\nloan LTV <= 0.7: 80.0 % (<b>)\n1 loan of the tape of 82,700 USD is left out for faults and not in any figure or limit: d.\nReport: runs/1/report.html',
    );
    expect(limitsText(DESK_RESULT, undefined)).toBeUndefined();
    expect(limitsText({ ...BREACHED, Limits: [] }, undefined)).toBeUndefined();
  });

  it('names limits that cannot be judged, with the reason, after those that are breached', () => {
    const both = [...(NOT_JUDGED.Limits ?? []), ...(BREACHED.Limits ?? [])];
    expect(limitsText({ ...BREACHED, Limits: both }, undefined)?.split('\n')).toEqual([
      'Loans of today: 1 of 4 limits breached, 2 of 4 limits cannot be judged, data as of 2025-12-31, 24:00 UTC.',
      'loan LTV <= 0.7: 80.0 % (<b>)',
      'PeakDay <= 40% of daily volume: cannot be judged, no volume in the store: WXYZ',
      'scenario loss <= 9: cannot be judged, no scenarios were computed',
      '1 loan of the tape of 82,700 USD is left out for faults and not in any figure or limit: d.',
    ]);
    const whole = { ...BREACHED, Tape: { ...BREACHED.Tape, LeftOut: [] } };
    expect(limitsText(whole, undefined)).toMatch(/80\.0 % \(<b>\)$/);
    expect(limitsText(NOT_JUDGED, undefined)).toContain(
      'Loans of today: 2 of 2 limits cannot be judged, data',
    );
  });
});
