/**
 * A disk without room: the import says so, and the store stays as it was.
 *
 * @module-tag slow
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFiles } from '#src/market/import/import-files.js';
import { manifestOf, temporaryFolder, writeFiles } from '../../support/market-files.ts';

const DAILY = 'daily/btc_usdt.csv';
const command = new URL('../../../dist/cli/main.js', import.meta.url).pathname;

it.runIf(process.platform !== 'win32')(
  'is told as the cause, without a stack, and nothing changes',
  async () => {
    const folder = temporaryFolder();
    const store = join(folder, 'market');
    const small = writeFiles(join(folder, 'small'), { [DAILY]: ['date,close', '2020-01-01,1'] });
    await importFiles({ store, paths: [small] });
    const before = await manifestOf(store);
    const days = Array.from({ length: 1500 }, (_, i) =>
      new Date(Date.UTC(2020, 0, 2 + i)).toISOString().slice(0, 10),
    );
    const large = writeFiles(join(folder, 'large'), {
      [DAILY]: ['date,close', ...days.map((day, i) => `${day},${1 + (i % 9) / 100}`)],
    });
    // No file may grow beyond 32 blocks: a write fails as it does on a full disk.
    const { status, stderr } = spawnSync(
      'bash',
      [
        '-c',
        'ulimit -f 32; trap "" XFSZ; exec "$0" "$@"',
        process.execPath,
        command,
        'market',
        'import',
        large,
      ],
      { env: { ...process.env, MARKET_DB: store }, encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^There is no space left to write to .*market \(\w+\)\. The store is as it was; free space and run the command again\.\n$/,
    );
    expect(await manifestOf(store)).toEqual(before);
    expect(readdirSync(join(store, 'series')).filter(name => name.endsWith('.part'))).toEqual([]);
  },
);
