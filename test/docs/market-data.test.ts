/**
 * The commands of docs/market-data.md, from a file of ccxt to the risk of a loan.
 *
 * @module-tag slow
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';
import { fencedBlocks, readDocument } from '../../docs/tools/examples.mjs';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/market-files.ts';

const run = promisify(execFile);
const built = (path: string): string => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
const HOUR = 3_600_000;
const HOURS_OF_2024 = 366 * 24;

const page = readDocument('docs/market-data.md');
const section = page.slice(page.indexOf('## From a download'), page.indexOf('## What is recognised'));
const [rows, dryRun, understood, question] = fencedBlocks(section.replace(/^ {3}/gm, '')).map(({ content }) =>
  content.trim(),
);

let server: ChildProcess | undefined;
afterEach(() => server?.kill('SIGKILL'));

/** The rows that the page shows, and hours after them to the end of the year. */
function download(): string {
  const shown = rows.split('\n').map(row => row.split(',').map(Number));
  const more = Array.from({ length: HOURS_OF_2024 - shown.length }, (_, i) => {
    const hour = shown.length + i;
    const [open, close] = [hour - 1, hour].map(each => Math.round(4_200_000 + 30_000 * Math.sin(each)) / 100);
    return [shown[0][0] + hour * HOUR, open, Math.max(open, close), Math.min(open, close), close, 10];
  });
  return `${[...shown, ...more].map(row => row.join(',')).join('\n')}\n`;
}

it('The commands of the page lead from a download to the risk of a loan', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'btc.csv'), download());
  const env = {
    PATH: process.env.PATH ?? '',
    COMPUTE: 'cpu',
    CPU_THREADS: '1',
    REQUEST_TIMEOUT_SECONDS: '3600',
    PORT: '0',
    LOG_LEVEL: 'info',
  };
  const shell = async (line: string, more: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await run('bash', ['-c', line], { cwd: folder, env: { ...env, ...more } })).stdout;
  const market = (line: string): string =>
    line.replace('npm run market --', `node ${built('cli/main.js')} market`);

  expect(dryRun).toContain(' --dry-run');
  const printed = await shell(market(dryRun));
  expect(printed).toBe(`${understood}\nNothing was written (--dry-run).\n`);
  const imported = await shell(market(dryRun.replace(' --dry-run', '')));
  expect(imported).toContain('Imported into data/market.');

  const child = spawn(process.execPath, [built('main.js')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = child;
  let banner = '';
  child.stdout.on('data', chunk => {
    banner += chunk;
  });
  await eventually(() => /Try it:/.test(banner) || child.exitCode !== null);
  expect(banner).toContain('store data/market, 1 asset, 2024-01-01 to 2024-12-31, version');
  const [, url, key] = /^ {2}address +(\S+)\n {2}key +(\S+)/m.exec(banner) ?? [];
  const answer = await shell(question.replace('localhost:8080', `-D headers ${url}`), { API_KEY: key });
  expect(JSON.parse(answer)).toMatchObject({
    Arguments: { loan_weights: { USD: 1 } },
    Output: { PrMarginCall: expect.any(Number), 'Collateral Volatility': expect.any(Number) },
  });
  expect(await shell('cat headers')).toMatch(/x-market-data: store; version=[0-9a-f]{12}/);
});
