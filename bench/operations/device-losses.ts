/**
 * The GPU is lost again and again under load: whether every request under `auto` is answered.
 *
 * `node build/bench/operations/device-losses.js [losses]`, on Linux with the software driver. In turn the GPU process is killed, is stopped
 * (SIGSTOP, as one that hangs in its driver), has its device destroyed, and runs out of memory: its address space is limited to
 * what it has, and its device asked for its largest buffer.
 */
import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { GOOD_BODIES, withMember } from '../../test/support/shared/request-bodies.ts';
import { projectFile } from '../project.ts';
import { quantileOf, report, tally } from './figures.ts';
import { startService } from './service.ts';

const losses = Number(process.argv[2] ?? 200);
const CALLERS = 3;
const LOOK_MS = 50;
/** What a GPU process is given to be lost, or to fail, before the next loss. */
const LONGEST_SECONDS = 60;
const KINDS = ['killed', 'destroyed', 'out of memory', 'stopped'] as const;
type Kind = (typeof KINDS)[number];

const server = await startService(
  { SOFTWARE_GPU: 'auto', COMPUTE: 'auto', CPU_THREADS: '1', LOG_LEVEL: 'info' },
  ['--import', projectFile('build/bench/operations/lose-on-signal.js')],
);
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
/** Different work each time, so that a failure of one kind does not spare the GPU the others. */
const QUESTIONS = [
  ['/loan_risk', GOOD_BODIES['/loan_risk']],
  ['/loan_risk', withMember(GOOD_BODIES['/loan_risk'], 'type', 'GBM_VIX')],
  ['/loan_risk_low_liquidity', withMember(GOOD_BODIES['/loan_risk_low_liquidity'], 'type', 'GBM')],
] as const;

const outcomes: string[] = [];
const engines: string[] = [];
const times: number[] = [];
let over = false;

async function caller(first: number): Promise<void> {
  for (let i = first; !over; i++) {
    const [path, body] = QUESTIONS[i % QUESTIONS.length];
    const answer = await server.ask(path, body, { 'x-compute': 'auto', 'x-seed': String(i) }, agent);
    outcomes.push(answer.error === undefined ? String(answer.status) : `no answer: ${answer.error}`);
    engines.push(String(answer.headers['x-compute']));
    times.push(answer.milliseconds);
  }
}

/** The GPU process, or undefined while there is none. */
function gpuProcess(): number | undefined {
  try {
    const found = execFileSync('pgrep', ['-P', String(server.process.pid), '-f', 'gpu-process.js'], {
      encoding: 'utf8',
    });
    return Number(found.split('\n')[0]);
  } catch {
    return undefined;
  }
}

const state = async () => (JSON.parse((await server.call('/healthz')).body) as { gpu: string }).gpu;
const said = (message: string) => server.log.filter(line => line.includes(message)).length;

async function until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + LONGEST_SECONDS * 1000;
  while (performance.now() < end) {
    if (await holds()) return true;
    await sleep(LOOK_MS);
  }
  return false;
}

/** Whether the device was lost, or its work failed, for it. */
async function lose(kind: Kind, pid: number): Promise<boolean> {
  const lost = said('the GPU process ended');
  const failed = said('the GPU failed; its work is done again');
  if (kind === 'killed') process.kill(pid, 'SIGKILL');
  else if (kind === 'stopped') process.kill(pid, 'SIGSTOP');
  else if (kind === 'destroyed') process.kill(pid, 'SIGUSR2');
  else {
    execFileSync('prlimit', ['--pid', String(pid), '--as=1']);
    process.kill(pid, 'SIGHUP');
  }
  const gone = await until(
    () =>
      said('the GPU process ended') > lost ||
      (kind === 'out of memory' && said('the GPU failed; its work is done again') > failed),
  );
  if (kind !== 'out of memory') return gone;
  // Where work failed for lack of memory the process lives on; then it is replaced, for the next loss.
  if (said('the GPU process ended') === lost) {
    process.kill(pid, 'SIGKILL');
    await until(() => said('the GPU process ended') > lost);
  }
  return gone;
}

const callers = Array.from({ length: CALLERS }, (_, i) => caller(i));
const done: string[] = [];
const secondsUntilBack: number[] = [];
for (let loss = 0; loss < losses; loss++) {
  const kind = KINDS[loss % KINDS.length];
  const onGpu = () => engines.filter(engine => engine === 'gpu').length;
  const before = onGpu();
  const isBack = async () => (await state()) === 'ready' && onGpu() > before;
  if (!(await until(isBack))) {
    done.push(`${kind}: the GPU did not come back before it`);
    continue;
  }
  const pid = gpuProcess();
  if (pid === undefined) {
    done.push(`${kind}: no GPU process`);
    continue;
  }
  const begin = performance.now();
  done.push((await lose(kind, pid)) ? kind : `${kind}: nothing happened`);
  await until(async () => (await state()) === 'ready');
  secondsUntilBack.push((performance.now() - begin) / 1000);
  if (loss % 10 === 9) process.stderr.write(`${loss + 1} losses, ${outcomes.length} requests\n`);
}
over = true;
await Promise.all(callers);
agent.destroy();
const found = await server.metrics();
const exit = await server.stop();
const lost = outcomes.filter(outcome => outcome !== '200');
report(
  'device-losses',
  `node build/bench/operations/device-losses.js ${losses}`,
  {
    losses: tally(done),
    requests: outcomes.length,
    outcomes: tally(outcomes),
    engines: tally(engines),
    doneAgain: said('its work is done again'),
    gpuLossesCounted: found.get('risk_gpu_losses'),
    secondsUntilBack: { median: quantileOf(secondsUntilBack, 0.5), most: Math.max(...secondsUntilBack) },
    milliseconds: { median: quantileOf(times, 0.5), p99: quantileOf(times, 0.99), most: Math.max(...times) },
    exit,
  },
  {
    'every request under auto is answered': lost.length === 0,
    'every loss was one': done.every(each => (KINDS as readonly string[]).includes(each)),
    'the service ends in good order': exit === 0,
  },
);
