/**
 * This version over HTTP beside another one, in turns on the same machine.
 *
 *   node build/bench/operations/two-versions.js FOLDER [--keep-awake]
 *
 * FOLDER is a checkout of the other version, installed and built. Both serve at once, so that what else the machine does meets both; each
 * answers some requests in its turn while the other has nothing to do. Every answer is checked once by closed forms, and
 * each later one of a version must be the same text.
 *
 * `--keep-awake` runs an endless loop of the lowest priority on every processor meanwhile. Some virtual machines put threads that wake
 * after a pause on one processor, and move one of them milliseconds later: two threads then take as long as one.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { post, refuseWrongAnswer, requestBody, STEPS } from '../http-question.ts';
import { WrongAnswer } from '../judge.ts';
import { PROJECT } from '../project.ts';
import { type RunningServer, type Server, serversFor, startServer } from '../server.ts';
import { median } from '../statistics.ts';
import { quantileOf, report } from './figures.ts';

/** Paths of a request, the requests of a turn, and how many turns of each version are timed after the first ones. */
interface Size {
  readonly paths: number;
  readonly requests: number;
  readonly turns: number;
  readonly warmUpTurns: number;
}
/** A server compiles what it runs within its first 500 small requests or so; they are not timed. */
const SIZES: readonly Size[] = [
  { paths: 1_000, requests: 20, turns: 60, warmUpTurns: 40 },
  { paths: 100_000, requests: 1, turns: 15, warmUpTurns: 3 },
];
/** What this version may take of the time of version 0.2 for 1,000 paths: the median over pairs of turns. */
const MOST = 0.65;

interface Version {
  readonly project: string;
  readonly version: string;
}

const versionAt = (project: string): Version => ({
  project,
  version: (JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string }).version,
});

/** One version that serves: asks for `paths` paths, and gives the milliseconds from sending to the whole answer. */
async function serving(server: Server, { project }: Version) {
  const running: RunningServer = await startServer(server, project);
  const answers = new Map<number, string>();
  return {
    stop: () => running.stop(),
    async ask(paths: number): Promise<number> {
      const body = requestBody(paths);
      const start = performance.now();
      const text = await post(running.url, server, body);
      const milliseconds = performance.now() - start;
      if (!answers.has(paths)) {
        refuseWrongAnswer(text, paths);
        answers.set(paths, text);
      }
      if (answers.get(paths) !== text) throw new WrongAnswer(`${project}: one question has two answers.`);
      return milliseconds;
    },
  };
}

const times = (milliseconds: readonly number[]) => ({
  p10: quantileOf(milliseconds, 0.1),
  median: median(milliseconds),
  p90: quantileOf(milliseconds, 0.9),
});

async function compare(server: Server, versions: readonly [Version, Version]) {
  const servers: Awaited<ReturnType<typeof serving>>[] = [];
  const rows = [];
  try {
    for (const version of versions) servers.push(await serving(server, version));
    for (const { paths, requests, turns, warmUpTurns } of SIZES) {
      const all: [number[], number[]] = [[], []];
      const ratios: number[] = [];
      for (let turn = -warmUpTurns; turn < turns; turn++) {
        const taken: [number[], number[]] = [[], []];
        for (const which of turn % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
          for (let i = 0; i < requests; i++) taken[which].push(await servers[which].ask(paths));
        if (turn < 0) continue;
        for (const which of [0, 1] as const) all[which].push(...taken[which]);
        ratios.push(median(taken[1]) / median(taken[0]));
      }
      const [before, now] = all.map(times);
      rows.push({
        engine: server.name,
        paths,
        steps: STEPS,
        requests: requests * turns,
        before,
        now,
        ratioOfMedians: now.median / before.median,
        ratioOfP10: now.p10 / before.p10,
        ratiosOfTurns: times(ratios),
      });
      console.error(JSON.stringify(rows.at(-1)));
    }
  } finally {
    await Promise.all(servers.map(each => each.stop()));
  }
  return rows;
}

/** A loop that ends when who started it has ended. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

/** Loops of the lowest priority, one for each processor; the function ends them. */
function keepAwake(): () => void {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['--eval', LOOP], { stdio: 'ignore' }),
  );
  for (const { pid } of loops) if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  return () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'keep-awake': { type: 'boolean', default: false } },
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Usage: node build/bench/operations/two-versions.js FOLDER [--keep-awake]');
  process.exit(2);
}
const versions = [versionAt(resolve(folder)), versionAt(PROJECT)] as const;
const endLoops = values['keep-awake'] ? keepAwake() : () => {};
const rows = [];
try {
  for (const server of await serversFor(['cpu', 'wasm'])) rows.push(...(await compare(server, versions)));
} finally {
  endLoops();
}
report(
  'two-versions',
  `node build/bench/operations/two-versions.js FOLDER${values['keep-awake'] ? ' --keep-awake' : ''}`,
  { versions: { before: versions[0].version, now: versions[1].version }, rows },
  Object.fromEntries(
    rows
      .filter(({ paths }) => paths === 1_000)
      .map(({ engine, ratiosOfTurns }) => [
        `1,000 x ${STEPS} on ${engine} takes at most ${MOST} of the time`,
        ratiosOfTurns.median <= MOST,
      ]),
  ),
);
