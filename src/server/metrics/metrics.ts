/**
 * The counters and gauges of the service, in the text format of Prometheus.
 *
 * Takes: requests and runs as they end, and readings at each request of /metrics. Gives: the text of /metrics.
 * Must not know: HTTP frameworks, what is computed. No label contains text of a client.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, type LabelValues, Registry } from 'prom-client';
import type { Limit } from '../admission/limits.ts';

/** A request that was answered, or whose client has disconnected. */
export interface ObservedRequest {
  /** Path of its route, or `other`. */
  readonly operation: string;
  /** `type` or `model`, or `none` where it was not read. */
  readonly methodology: string;
  /** `gpu`, `cpu`, or `none` where nothing ran. */
  readonly engine: string;
  readonly status: number;
  readonly seconds: number;
  /** Undefined where it was not in a queue. */
  readonly queuedSeconds: number | undefined;
}

/** A finished run of an engine. */
export interface ObservedRun {
  readonly operation: string;
  readonly engine: string;
  /** Asset-steps, as `core/plan/work.ts` counts them. */
  readonly work: number;
  readonly seconds: number;
}

/** Readings at each request of /metrics. */
export interface Readings {
  backlogs(): Iterable<{ engine: string; size: string; waiting: number; seconds: number }>;
  /** Seconds of the longest slice of a thread of the processor. */
  longestSliceSeconds(): number;
  gpu(): { readonly state: string; readonly losses: number; readonly restarts: number };
  /** The SIMD kernel of the processor. */
  simd(): { readonly kernel: string; readonly lanes: number } | undefined;
  /** Seconds since the last close of each symbol. */
  dataAges(): Iterable<readonly [symbol: string, seconds: number]>;
  /** Whether the last look for a new version of the market store could read it. */
  marketStore(): boolean;
  /** Lines of the log that were dropped. */
  droppedLogLines(): number;
  /** Whether limits are counted together with other servers; undefined where no store is configured. */
  sharedCounters(): boolean | undefined;
  /** Whether the keys in force are those of the file of keys; undefined without one. */
  keysFile(): boolean | undefined;
  /** Owners of keys whose last key expires soon. */
  expiringKeys(): number;
  /** Whether the store of the fleet answers and takes writes, and its workers, unknown while it does not answer; undefined without a fleet. */
  fleet(): { readonly answers: boolean; readonly workers: number | undefined } | undefined;
  ready(): boolean;
}

export type Metrics = ReturnType<typeof createMetrics>;

type Sample<L extends string> = readonly [labels: LabelValues<L>, value: number];

const PREFIX = 'risk_';
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const GPU_STATES = ['none', 'ready', 'restarting', 'given-up'];

/** @param processMetrics whether figures of the process and of Node are collected; not in tests */
export function createMetrics(version: string, processMetrics = true) {
  const registry = new Registry();
  const registers = [registry];
  if (processMetrics) collectDefaultMetrics({ register: registry });
  let readings: Readings | undefined;

  const counter = <L extends string>(name: string, labelNames: L[], help: string) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const requests = counter(
    'requests_total',
    ['operation', 'methodology', 'engine', 'status'],
    'Requests by operation, methodology, engine and status.',
  );
  const latency = new Histogram({
    name: `${PREFIX}request_seconds`,
    help: 'Time from arrival to answer, waiting included.',
    labelNames: ['operation', 'engine'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const queueWait = new Histogram({
    name: `${PREFIX}queue_wait_seconds`,
    help: 'Time that a request waited for an engine.',
    labelNames: ['operation'],
    buckets: [0.001, ...SECONDS_BUCKETS],
    registers,
  });
  const steps = counter(
    'asset_steps_total',
    ['operation', 'engine'],
    'Work done in asset-steps. Its rate divided by the rate of risk_run_seconds_total is the speed of an engine.',
  );
  const runSeconds = counter(
    'run_seconds_total',
    ['operation', 'engine'],
    'Time of runs from leaving the queue to the result; runs side by side count each.',
  );
  const refusedKeys = counter('refused_keys_total', ['reason'], 'Requests without a valid key.');
  const limits = counter(
    'limited_total',
    ['limit'],
    'Requests refused because a limit of their key was reached.',
  );
  const surplus = counter(
    'surplus_connections_total',
    ['outcome'],
    'Connections beyond MAX_CONNECTIONS: each closed the longest silent connection, or was refused.',
  );
  const faults = counter(
    'faults',
    [],
    'Requests, lines of batches and jobs that failed by a fault of the program, since the start.',
  );
  new Gauge({
    name: `${PREFIX}build_info`,
    help: 'Always 1; the label says what runs.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  const failedReadings = counter(
    'failed_readings_total',
    ['metric'],
    'Readings that failed; their metric is absent from that answer of /metrics.',
  );
  /**
   * A gauge that is set at each request of /metrics. A failed reading omits its own metric only.
   *
   * @param read one value, one for each of several labels, or undefined where the metric is absent
   */
  function reading<L extends string = never>(
    name: string,
    help: string,
    read: (from: Readings) => number | boolean | undefined | readonly Sample<L>[],
    labelNames?: L[],
  ): void {
    new Gauge<L>({
      ...(labelNames && { labelNames }),
      name: PREFIX + name,
      help,
      registers,
      collect() {
        if (readings === undefined) return;
        let found: ReturnType<typeof read>;
        try {
          found = read(readings);
        } catch {
          failedReadings.inc({ metric: PREFIX + name });
        }
        // Removes labels of the last reading that this one does not have.
        if (labelNames === undefined) this.remove();
        else this.reset();
        if (Array.isArray(found)) for (const [labels, value] of found) this.set(labels, value);
        else if (found !== undefined) this.set(Number(found));
      },
    });
  }
  reading(
    'queue_length',
    'Requests that wait, by engine and size: small or large.',
    ({ backlogs }) => Array.from(backlogs(), ({ engine, size, waiting }) => [{ engine, size }, waiting]),
    ['engine', 'size'],
  );
  reading(
    'queue_work_seconds',
    'Expected engine time of the requests that wait.',
    ({ backlogs }) => Array.from(backlogs(), ({ engine, size, seconds }) => [{ engine, size }, seconds]),
    ['engine', 'size'],
  );
  reading(
    'longest_slice_seconds',
    'Longest time in the last one to two minutes for which a piece of work held a thread of the processor; pieces have some ten milliseconds.',
    ({ longestSliceSeconds }) => longestSliceSeconds(),
  );
  reading(
    'gpu_state',
    '1 for the state that the GPU is in.',
    ({ gpu }) => {
      const now = gpu().state;
      return GPU_STATES.map(state => [{ state }, Number(state === now)]);
    },
    ['state'],
  );
  reading(
    'simd_lanes',
    'Lanes of the SIMD kernel of the processor; the label says which it is. Absent without one.',
    ({ simd }) => {
      const found = simd();
      return found && [[{ kernel: found.kernel }, found.lanes]];
    },
    ['kernel'],
  );
  reading('gpu_losses', 'Unrequested ends of the GPU process since the start.', ({ gpu }) => gpu().losses);
  reading('gpu_restarts', 'Restarts of the GPU process since the start.', ({ gpu }) => gpu().restarts);
  reading(
    'market_data_age_seconds',
    'Time since the latest close of each asset, daily or hourly.',
    ({ dataAges }) => Array.from(dataAges(), ([asset, seconds]) => [{ asset }, seconds]),
    ['asset'],
  );
  reading(
    'market_store',
    '1 while the market store can be read, 0 while the last version stays because it cannot.',
    ({ marketStore }) => marketStore(),
  );
  reading(
    'log_lines_dropped',
    'Log lines that the reader of standard error did not take in time, since the start.',
    ({ droppedLogLines }) => droppedLogLines(),
  );
  reading(
    'shared_counters',
    '1 while Redis counts the limits of all servers, 0 while this one counts for itself; absent without REDIS_URL.',
    ({ sharedCounters }) => sharedCounters(),
  );
  reading(
    'keys_file',
    '1 while the keys of KEYS_FILE are in force, 0 while it is faulty and the previous keys stay; absent without KEYS_FILE.',
    ({ keysFile }) => keysFile(),
  );
  reading('expiring_keys', 'Keys that expire within 14 days and have no successor.', ({ expiringKeys }) =>
    expiringKeys(),
  );
  reading(
    'fleet_store',
    '1 while the store of the fleet answers and takes writes, 0 while it does not; absent without FLEET_NAME.',
    ({ fleet }) => fleet()?.answers,
  );
  reading(
    'fleet_workers',
    'Workers of the fleet with the version of this server; absent without FLEET_NAME, and while the store does not answer.',
    ({ fleet }) => fleet()?.workers,
  );
  reading('ready', '1 while /readyz answers 200.', ({ ready }) => ready());

  return {
    contentType: registry.contentType,
    /** All metrics as text. */
    text: () => registry.metrics(),
    /** Sets the source of the readings. */
    read(from: Readings): void {
      readings = from;
    },
    request({ operation, methodology, engine, status, seconds, queuedSeconds }: ObservedRequest): void {
      requests.inc({ operation, methodology, engine, status });
      latency.observe({ operation, engine }, seconds);
      if (queuedSeconds !== undefined) queueWait.observe({ operation }, queuedSeconds);
    },
    run({ operation, engine, work, seconds }: ObservedRun): void {
      steps.inc({ operation, engine }, work);
      runSeconds.inc({ operation, engine }, seconds);
    },
    refusedKey: (reason: 'missing' | 'unknown' | 'expired' | 'throttled') => refusedKeys.inc({ reason }),
    /** A request, a line of a batch or a job has failed by a fault of the program. */
    fault: () => faults.inc(),
    limited: (limit: Limit) => limits.inc({ limit }),
    /** A connection above the limit: an idle one was closed for it, or it was refused. */
    surplusConnection: (outcome: 'silent' | 'refused') => surplus.inc({ outcome }),
  };
}
