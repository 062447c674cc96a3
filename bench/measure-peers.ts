/**
 * Ratios of our engines to the peers, measured in one run.
 *
 * Every round runs each of our engines and each peer once, in turn; rates are medians over the rounds. A peer whose
 * answer is wrong has no rate either.
 */
import type { BenchEngine } from './engines.ts';
import { ask } from './jobs.ts';
import { type Comparison, compareShare, refuseWrongAnswers, WrongAnswer } from './judge.ts';
import { KNOWN_FIGURES } from './known-figures.ts';
import { type Diligence, effort, sizeOf, summarise } from './measure-plans.ts';
import {
  build,
  type Clock,
  missing,
  type Peer,
  type PeerLine,
  type PeerWork,
  peersIn,
  run,
} from './peers.ts';
import { W1_EXACT } from './plans/w1.ts';
import { planNamed } from './plans.ts';
import { type Spread, spread } from './statistics.ts';

/** A peer's rate, or one of ours under the same conditions. */
export interface RateRow {
  readonly name: string;
  readonly ours: boolean;
  readonly work: PeerWork;
  readonly on: 'cpu' | 'gpu';
  readonly paths: number;
  readonly threads: number | undefined;
  readonly clock: Clock;
  /** Path-steps per second, of all threads; over rounds. */
  readonly pathStepsPerSecond: Spread;
}

interface PeerWithoutRate {
  readonly name: string;
  readonly why: string;
  /** Not installed here, as opposed to wrong or broken. */
  readonly absent: boolean;
}

export interface PeerReport {
  readonly rates: readonly RateRow[];
  /** Peers without a rate, and why. */
  readonly without: readonly PeerWithoutRate[];
}

export interface PeerOptions extends Diligence {
  readonly folder: string;
  readonly python: string;
}

/** Paths of the GPU peers: ours run at the same sizes. */
const GPU_PATHS = [100_000, 1_000_000, 4_000_000, 16_000_000];
const LOAN_FIGURES = ['marginCalls', 'liquidations', 'closeouts', 'underwater', 'openSteps', 'loss'] as const;

/** Builds what can be built, then measures everything in turn; gives the report again after every program. */
export async function* measurePeers(
  engines: readonly BenchEngine[],
  options: PeerOptions,
): AsyncGenerator<PeerReport> {
  const without: PeerWithoutRate[] = [];
  const drop = (name: string, error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    without.push({ name, why: message.split('\n')[0], absent: false });
  };
  const ready: Peer[] = [];
  const kinds = new Set(engines.map(kindOf));
  const all = peersIn(options.folder, options.python, options.quick);
  for (const peer of all.filter(({ on }) => kinds.has(on))) {
    const absent = missing(peer);
    if (absent !== undefined) without.push({ name: peer.name, why: `needs ${absent}`, absent: true });
    else {
      try {
        build(peer);
        ready.push(peer);
      } catch (error) {
        drop(peer.name, error);
      }
    }
  }
  const rates = new Map<string, { row: Omit<RateRow, 'pathStepsPerSecond'>; measured: number[] }>();
  const note = (row: Omit<RateRow, 'pathStepsPerSecond'>, rate: number) => {
    const key = `${row.name} ${row.work} ${row.paths} ${row.clock}`;
    const known = rates.get(key) ?? { row, measured: [] };
    known.measured.push(rate);
    rates.set(key, known);
  };
  // A program that went wrong in one round has no rate at all.
  const found = (): PeerReport => ({
    rates: [...rates.values()]
      .filter(({ row }) => !without.some(({ name }) => name === row.name))
      .map(({ row, measured }) => ({ ...row, pathStepsPerSecond: spread(measured) })),
    without: [...without],
  });
  for (let round = 0; round < options.processes; round++) {
    for (const engine of engines) {
      await measureOurs(engine, round, options, note, drop);
      yield found();
    }
    const inTurn = ready.filter(({ slow }) => round === 0 || !slow);
    for (const peer of inTurn.filter(({ name }) => !without.some(each => each.name === name))) {
      try {
        for (const line of await run(peer)) {
          judge(peer.work, line);
          note(rowOf(peer, line), line.pss);
        }
      } catch (error) {
        drop(peer.name, error);
      }
      yield found();
    }
  }
  yield found();
}

/** What an engine is compared with. */
function kindOf({ threads }: BenchEngine): 'cpu' | 'gpu' {
  return threads === undefined ? 'gpu' : 'cpu';
}

type Note = (row: Omit<RateRow, 'pathStepsPerSecond'>, rate: number) => void;

async function measureOurs(
  engine: BenchEngine,
  round: number,
  options: PeerOptions,
  note: Note,
  drop: (name: string, error: unknown) => void,
): Promise<void> {
  const on = kindOf(engine);
  const works: readonly PeerWork[] = ['w1', 'loan-five-assets'];
  for (const work of works) {
    const usual = planNamed(work).paths[sizeOf(engine, options)];
    const sizes = engine.size === 'gpu' && work === 'w1' && !options.quick ? GPU_PATHS : [usual];
    for (const paths of sizes) {
      const job = { kind: 'measure', engine: engine.name, plan: work } as const;
      const row = summarise([await ask({ ...job, effort: effort(paths, round, options) })], paths);
      if (row.status === 'measured') {
        const head = { name: engine.name, ours: true, work, on, paths, threads: engine.threads };
        note({ ...head, clock: 'run' }, row.pathStepsPerSecond);
        if (row.pathStepsPerKernelSecond !== undefined)
          note({ ...head, clock: 'kernel' }, row.pathStepsPerKernelSecond);
      } else if (row.status !== 'unsupported') drop(engine.name, new Error(row.message));
    }
  }
}

function rowOf({ name, work, on, clock = 'run' }: Peer, line: PeerLine): Omit<RateRow, 'pathStepsPerSecond'> {
  const threads = on === 'cpu' ? (line.threads ?? 1) : undefined;
  // A program that prints several variants names them itself.
  return { name: on === 'gpu' ? line.impl : name, ours: false, work, on, paths: line.P, threads, clock };
}

/** @throws WrongAnswer where a peer's answer is not what is known */
function judge(work: PeerWork, line: PeerLine): void {
  refuseWrongAnswers(line.impl, work === 'w1' ? compareW1(line) : compareLoan(line));
}

/** Probabilities are printed to five digits or more; single precision may cost one more. */
const PRINTED = 2e-5;

function compareW1({ p13, p11, p10, P, paths_pooled }: PeerLine): Comparison[] {
  const paths = paths_pooled ?? P;
  const compare = (figure: string, share: number | undefined, known: number) =>
    compareShare(figure, (share ?? Number.NaN) * paths, paths, known, PRINTED);
  return [
    compare('share below 1.3', p13, W1_EXACT.marginCalls),
    compare('share below 1.1', p11, W1_EXACT.liquidations),
    compare('share below 1', p10, W1_EXACT.underwater),
  ];
}

function compareLoan({ figures, P, paths_pooled }: PeerLine): Comparison[] {
  if (figures === undefined) throw new WrongAnswer('The program printed no figures.');
  const known = KNOWN_FIGURES['loan-five-assets'];
  return LOAN_FIGURES.map(figure => {
    const { mean, deviation } = known.figures[figure];
    const standardError = deviation * Math.sqrt(1 / (paths_pooled ?? P) + 1 / known.paths);
    return { figure, got: figures[figure], known: mean, standardError, allowance: 0 };
  });
}
