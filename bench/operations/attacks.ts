/**
 * A server under attack: what another key's cheap requests and its health take beside it, and its memory.
 *
 * `node build/bench/operations/attacks.js [seconds] [part of a name]`. Attacks by many connections, hostile bodies and slow readers have a
 * server each; those that the tables make (question-attacks.ts) share one for each operation and engine. Callers are in another process
 * (attackers.ts), all with one key. Another key asks for a cheap loan over and over, and /livez is asked on the health port by a new
 * connection each time: first without the attack, then beside it; one more loan is asked for when the callers have left.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_BODIES, withMember } from '../../test/support/request-bodies.ts';
import { projectFile } from '../project.ts';
import { ATTACK_NAMES } from './attackers.ts';
import { quantileOf, report, tally } from './figures.ts';
import { QUESTION_ATTACKS } from './question-attacks.ts';
import { KEY, type ServiceProcess, startService } from './service.ts';

const seconds = Number(process.argv[2] ?? 12);
const only = process.argv[3] ?? '';
const OTHER_KEY = 'another-key-of-the-bench';
const ALONE_SECONDS = 3;
/** Until the attack has its callers. */
const BEGIN_MS = 2000;
const PAUSE_MS = 20;
const MIB = 2 ** 20;
const PAGE_BYTES = 4096;
/** Some milliseconds of work on one thread. */
const CHEAP = withMember(GOOD_BODIES['/loan_risk'], 'params.loan_duration', 7);

/** Resident bytes of a process and all that it has started. */
function residentBytes(root: number): number {
  const parents = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const entry of readdirSync('/proc').filter(each => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(entry), Number(fields[1]));
      sizes.set(Number(entry), Number(fields[21]) * PAGE_BYTES);
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (id: number): boolean => id === root || (id > 1 && isOurs(parents.get(id) ?? 0));
  return [...sizes].reduce((sum, [id, size]) => (isOurs(id) ? sum + size : sum), 0);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

interface Watched {
  readonly cheapMs: number[];
  readonly cheapStatuses: number[];
  readonly liveMs: number[];
  readonly liveStatuses: number[];
  mostBytes: number;
}

/** Asks both at the same time for so many seconds. */
async function watch(server: ServiceProcess, healthUrl: string, forSeconds: number): Promise<Watched> {
  const found: Watched = { cheapMs: [], cheapStatuses: [], liveMs: [], liveStatuses: [], mostBytes: 0 };
  const end = performance.now() + forSeconds * 1000;
  const repeat = async (step: () => unknown) => {
    while (performance.now() < end) {
      await step();
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all([
    repeat(async () => {
      const headers = { 'x-api-key': OTHER_KEY, 'x-compute': 'cpu' };
      const { status, milliseconds } = await server.ask('/loan_risk', CHEAP, headers);
      found.cheapMs.push(milliseconds);
      found.cheapStatuses.push(status);
    }),
    repeat(async () => {
      const begin = performance.now();
      const response = await fetch(`${healthUrl}/livez`, { headers: { connection: 'close' } });
      await response.arrayBuffer();
      found.liveMs.push(performance.now() - begin);
      found.liveStatuses.push(response.status);
    }),
    repeat(() => {
      found.mostBytes = Math.max(found.mostBytes, residentBytes(server.process.pid ?? 0));
    }),
  ]);
  return found;
}

const rounded = (value: number) => Math.round(value * 10) / 10;

interface Attacked {
  readonly server: ServiceProcess;
  readonly healthUrl: string;
  readonly alone: Watched;
}

/** A server, and what it takes without an attack. */
async function startAttacked(environment: Readonly<Record<string, string>>): Promise<Attacked> {
  const healthPort = await freePort();
  const server = await startService({
    API_KEYS: `${KEY},${OTHER_KEY}`,
    HEALTH_PORT: String(healthPort),
    ...environment,
  });
  const healthUrl = `http://127.0.0.1:${healthPort}`;
  // The first ones teach the server how long they take.
  await watch(server, healthUrl, 1);
  return { server, healthUrl, alone: await watch(server, healthUrl, ALONE_SECONDS) };
}

async function attack(name: string, { server, healthUrl, alone }: Attacked) {
  const attackers = spawn(
    process.execPath,
    [projectFile('build/bench/operations/attackers.js'), name, server.url, KEY],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const answers: string[] = [];
  attackers.stdout.setEncoding('utf8').on('data', (text: string) => answers.push(...text.trim().split('\n')));
  await sleep(BEGIN_MS);
  const beside = await watch(server, healthUrl, seconds);
  // Null while it runs.
  const ended = attackers.exitCode;
  attackers.kill('SIGKILL');
  const { milliseconds: afterMs } = await server.ask('/loan_risk', CHEAP, {
    'x-api-key': OTHER_KEY,
    'x-compute': 'cpu',
  });
  const cheapGoalMs = 3 * quantileOf(alone.cheapMs, 0.99) + 200;
  const cheapP99Ms = quantileOf(beside.cheapMs, 0.99);
  const memoryMib = (beside.mostBytes - alone.mostBytes) / MIB;
  return {
    name,
    attackers: tally(answers),
    aloneMs: {
      median: rounded(quantileOf(alone.cheapMs, 0.5)),
      p99: rounded(quantileOf(alone.cheapMs, 0.99)),
    },
    cheapMs: {
      asked: beside.cheapMs.length,
      median: rounded(quantileOf(beside.cheapMs, 0.5)),
      p99: rounded(cheapP99Ms),
      goal: rounded(cheapGoalMs),
    },
    cheapStatuses: tally(beside.cheapStatuses),
    afterMs: rounded(afterMs),
    liveMs: {
      asked: beside.liveMs.length,
      p99: rounded(quantileOf(beside.liveMs, 0.99)),
      most: rounded(Math.max(...beside.liveMs)),
    },
    idleMib: Math.round(alone.mostBytes / MIB),
    memoryAboveMib: Math.round(memoryMib),
    holds: {
      attacked: ended === null,
      cheap: cheapP99Ms <= cheapGoalMs,
      after: afterMs <= cheapGoalMs,
      answered: beside.cheapStatuses.every(status => status === 200),
      live: Math.max(...beside.liveMs) < 100 && beside.liveStatuses.every(status => status === 200),
      memory: memoryMib < 1536,
    },
  };
}

/** One that listens to few connections, so that the silent ones are more. */
const environmentOf = (name: string): Readonly<Record<string, string>> =>
  name === 'silent connections' ? { MAX_CONNECTIONS: '200' } : {};

const found: Awaited<ReturnType<typeof attack>>[] = [];

/** Attacks a server by each of these names, one after another. */
async function attackBy(names: readonly string[], environment: Readonly<Record<string, string>>) {
  const chosen = names.filter(name => name.includes(only));
  if (chosen.length === 0) return;
  const attacked = await startAttacked(environment);
  for (const name of chosen) {
    const each = await attack(name, attacked);
    found.push(each);
    process.stderr.write(
      `| ${name} | ${each.aloneMs.p99} | ${each.cheapMs.median} | ${each.cheapMs.p99} | ${each.afterMs} | ${each.liveMs.most} | ${each.memoryAboveMib} | ${JSON.stringify(each.cheapStatuses)} ${JSON.stringify(each.attackers)}\n`,
    );
  }
  await attacked.server.stop('SIGKILL');
}

for (const name of ATTACK_NAMES) await attackBy([name], environmentOf(name));
const kinds = new Map(QUESTION_ATTACKS.map(({ path, compute }) => [`${path} ${compute}`, { path, compute }]));
for (const kind of kinds.values()) {
  const names = QUESTION_ATTACKS.filter(
    ({ path, compute }) => path === kind.path && compute === kind.compute,
  ).map(({ name }) => name);
  await attackBy(names, kind.compute === 'gpu' ? { COMPUTE: 'auto', SOFTWARE_GPU: '1' } : {});
}
if (found.length === 0) throw new Error(`no attack has ${only} in its name`);
report(
  'attacks',
  ['node build/bench/operations/attacks.js', seconds, only].join(' ').trim(),
  { seconds, attacks: found },
  {
    'every cheap request of another key is answered': found.every(({ holds }) => holds.answered),
    'their p99 is at most three times that alone and 0.2 s': found.every(({ holds }) => holds.cheap),
    'so is the first one when the callers have left': found.every(({ holds }) => holds.after),
    'every attack goes on to its end': found.every(({ holds }) => holds.attacked),
    '/livez answers within 0.1 s on new connections': found.every(({ holds }) => holds.live),
    'memory is at most 1.5 GiB above idle': found.every(({ holds }) => holds.memory),
  },
);
