/** The first session on a GPU: its table, and a rehearsal of the bundle on the software driver. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstRows, readSession } from '../../bench/first.ts';
import { projectFile } from '../../bench/project.ts';
import { eventually } from '../support/eventually.ts';

const spread = (median: number) => ({ median, least: median, largest: median });

it('The table of a first session has a figure or a reason in every line', () => {
  const rate = (name: string, ours: boolean, paths: number, pathStepsPerSecond: number) => ({
    ...{ name, ours, paths, work: 'w1', on: 'gpu', threads: undefined, clock: 'kernel' },
    pathStepsPerSecond: spread(pathStepsPerSecond),
  });
  const peers = {
    rates: [
      rate('gpu', true, 1_000_000, 2e11),
      rate('gpu', true, 100_000, 1e11),
      rate('CUDA Threefry4x32-12 f32', false, 100_000, 1e11),
      rate('CUDA Threefry4x32-12 f32', false, 1_000_000, 4e11),
      rate('Philox4x32-7 Box-Muller in CUDA, f32', false, 1_000_000, 5e11),
    ],
    without: [{ name: 'JAX', why: 'needs the Python module jax', absent: true }],
  };
  const plans = [{ plan: 'garch', engine: 'gpu', paths: 8, status: 'failed', message: 'no memory' }];
  const summary = 'smoke: done, 3 s\nplans: FAILED with code 1: garch\nhttp: left out for time\n';
  const rows = firstRows([{ peers }, { plans }] as unknown as Parameters<typeof firstRows>[0], summary);
  const lineOf = (what: RegExp) => {
    const { found, missing } = rows.find(row => what.test(row.what))!;
    return found ?? `missing: ${missing}`;
  };
  expect(lineOf(/W1 is right/)).toBe('done, 3 s');
  expect(lineOf(/over CUDA$/)).toBe('0.50 (CUDA Threefry4x32-12 f32, 1,000,000 paths)');
  expect(lineOf(/Philox/)).toBe('0.40 (Philox4x32-7 Box-Muller in CUDA, f32, 1,000,000 paths)');
  expect(lineOf(/over JAX/)).toBe('missing: needs the Python module jax');
  expect(lineOf(/over PyTorch/)).toBe('missing: no rate beside ours');
  expect(lineOf(/garch/)).toBe('missing: no memory');
  // A report without it, of a part that failed or was left out.
  expect(lineOf(/`w1`/)).toBe('missing: FAILED with code 1: garch');
  expect(lineOf(/loan_risk/)).toBe('missing: left out for time');
});

/** Kills every process that works in a folder: a part of a session is a group of its own. */
function killAllIn(folder: string): void {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const isHere = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      // It has ended, or is not ours.
      return false;
    }
  };
  for (const pid of pids.filter(isHere)) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch (error) {
      // A process may end between the look and the signal.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

describe('A first session on the software driver', { tags: ['slow'] }, () => {
  let folder: string;
  let bundle: string;
  const begin = (out: string, parts: string): ChildProcess =>
    spawn('./run.sh', ['first', '--software', out], {
      cwd: bundle,
      // Ten times the limits of a GPU, and nothing of this process.
      env: { PATH: '/usr/bin:/bin', FIRST_SECONDS: '5700', FIRST_OPTIONS: '--quick', FIRST_PARTS: parts },
      stdio: 'ignore',
    });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'first-'));
    bundle = join(folder, 'bundle');
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      expect(status, stdout + stderr).toBe(0);
    };
    run(projectFile('node_modules/typescript/bin/tsc'), '-p', projectFile('bench/tsconfig.json'));
    run(projectFile('scripts/make-gpu-bundle.mjs'), '--folder', bundle);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('fills every line of the parts that run, and says why others are empty', async () => {
    const out = join(folder, 'whole');
    const [code] = await once(begin(out, 'host smoke peers kernels plans http workgroups'), 'exit');
    expect(code, readFileSync(join(out, 'summary.txt'), 'utf8')).toBe(0);
    const { rows, device } = readSession(out);
    expect(device).toMatch(/SwiftShader|llvmpipe/i);
    // The programs of others need a GPU, and these two parts are tests that run elsewhere.
    const empty = rows.filter(({ found }) => found === undefined);
    expect([...new Set(empty.map(({ part }) => part))]).toEqual(['peers', 'agreement', 'tests']);
    for (const { missing } of empty) expect(missing).toMatch(/^(no rate|needs |left out by FIRST_PARTS)/);
    expect(readFileSync(join(out, 'first.md'), 'utf8')).toContain('| missing: left out by FIRST_PARTS');
  });

  it('leaves what was done when it is killed', async () => {
    const out = join(folder, 'killed');
    const child = begin(out, 'smoke plans');
    const summary = join(out, 'summary.txt');
    const exit = once(child, 'exit');
    await eventually(() => existsSync(summary) && /^smoke: /m.test(readFileSync(summary, 'utf8')));
    killAllIn(bundle);
    await exit;
    const { rows } = readSession(out);
    expect(rows.find(({ part }) => part === 'smoke')!.found).toMatch(/^done/);
    expect(rows.find(({ part }) => part === 'workgroups')!.missing).toBe('not run');
  });
});
