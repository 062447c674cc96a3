/**
 * What the service counts and measures, in the text format of Prometheus.
 *
 * Takes: requests and runs as they end, and readings that are taken when /metrics is read. Gives: the text of /metrics.
 * Must not know: HTTP frameworks, what is computed. No label is made from what a caller sent.
 */
import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';

/** A request that was answered, or whose caller has gone. */
export interface ObservedRequest {
  /** Path of its route, or `other`. */
  readonly operation: string;
  /** `type` or `model`, or `none` where it was not read. */
  readonly methodology: string;
  /** `gpu`, `cpu`, or `none` where nothing ran. */
  readonly engine: string;
  readonly status: number;
  readonly seconds: number;
  /** Undefined where it never stood in a queue. */
  readonly queuedSeconds: number | undefined;
}

/** A run of an engine that was finished. */
export interface ObservedRun {
  readonly operation: string;
  readonly engine: string;
  /** Asset-steps, as `core/plan/work.ts` counts them. */
  readonly work: number;
  readonly seconds: number;
}

/** Readings that are taken only when /metrics is read. */
export interface Readings {
  backlogs(): Iterable<{ engine: string; size: string; waiting: number; seconds: number }>;
  gpu(): { readonly state: string; readonly losses: number; readonly restarts: number };
  /** The SIMD kernel of the processor. */
  simd(): { readonly kernel: string; readonly lanes: number } | undefined;
  /** Seconds since the last close of each symbol. */
  dataAges(): Promise<Iterable<readonly [symbol: string, seconds: number]>>;
  /** Lines of the log that its reader did not take. */
  droppedLogLines(): number;
  /** Whether limits are counted together with other processes; undefined where they are not meant to. */
  sharedCounters(): boolean | undefined;
  ready(): Promise<boolean>;
}

export interface Metrics {
  /** Where the readings come from. */
  read(from: Readings): void;
  readonly contentType: string;
  /** Reads and writes everything. */
  text(): Promise<string>;
  request(observed: ObservedRequest): void;
  run(observed: ObservedRun): void;
  /** A key that was refused, and why. */
  refusedKey(reason: 'missing' | 'unknown' | 'expired' | 'throttled'): void;
  /** A limit of a key that was reached. */
  limited(limit: 'work' | 'concurrent'): void;
  /** A connection beyond the limit: a silent one was closed for it, or it was refused. */
  surplusConnection(outcome: 'silent' | 'refused'): void;
}

const PREFIX = 'risk_';
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const GPU_STATES = ['none', 'ready', 'restarting', 'given-up'];

/** @param processMetrics whether figures of the process and of Node are collected; tests leave them out */
export function createMetrics(version: string, processMetrics = true): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (processMetrics) collectDefaultMetrics({ register: registry });
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registry);
    // Answers the process that started this one.
    new AggregatorRegistry();
  }
  let readings: Readings | undefined;

  const requests = new Counter({
    name: `${PREFIX}requests_total`,
    help: 'Requests by operation, methodology, engine and status.',
    labelNames: ['operation', 'methodology', 'engine', 'status'],
    registers,
  });
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
  const steps = new Counter({
    name: `${PREFIX}asset_steps_total`,
    help: 'Work done in asset-steps. Its rate over that of risk_run_seconds_total is the speed of an engine.',
    labelNames: ['operation', 'engine'],
    registers,
  });
  const runSeconds = new Counter({
    name: `${PREFIX}run_seconds_total`,
    help: 'Time of runs from leaving the queue to the result; runs side by side count each.',
    labelNames: ['operation', 'engine'],
    registers,
  });
  const refusedKeys = new Counter({
    name: `${PREFIX}refused_keys_total`,
    help: 'Requests without a valid key.',
    labelNames: ['reason'],
    registers,
  });
  const limits = new Counter({
    name: `${PREFIX}limited_total`,
    help: 'Requests refused because a limit of their key was reached.',
    labelNames: ['limit'],
    registers,
  });
  const surplus = new Counter({
    name: `${PREFIX}surplus_connections_total`,
    help: 'Connections beyond MAX_CONNECTIONS: the one silent for longest was closed for them, or they were refused.',
    labelNames: ['outcome'],
    registers,
  });
  new Gauge({
    name: `${PREFIX}build_info`,
    help: 'Always 1; the label says what runs.',
    labelNames: ['version'],
    aggregator: 'first',
    registers,
  }).set({ version }, 1);
  const failedReadings = new Counter({
    name: `${PREFIX}failed_readings_total`,
    help: 'Readings that failed; their metric is absent from that answer of /metrics.',
    labelNames: ['metric'],
    registers,
  });
  /** A gauge that is set when /metrics is read. A reading that fails leaves out its own metric alone. */
  function reading<L extends string>(
    { name, ...options }: Pick<GaugeConfiguration<L>, 'name' | 'help' | 'labelNames' | 'aggregator'>,
    set: (gauge: Gauge<L>, from: Readings) => void | Promise<void>,
  ): void {
    new Gauge<L>({
      ...options,
      name: PREFIX + name,
      registers,
      async collect() {
        // What has gone since the last reading is absent from this one.
        if (options.labelNames !== undefined) this.reset();
        try {
          if (readings !== undefined) await set(this, readings);
        } catch {
          failedReadings.inc({ metric: PREFIX + name });
          if (options.labelNames === undefined) this.remove();
          else this.reset();
        }
      },
    });
  }
  reading(
    {
      name: 'queue_length',
      help: 'Requests that wait, by engine and size: small or large.',
      labelNames: ['engine', 'size'],
    },
    (gauge, { backlogs }) => {
      for (const { engine, size, waiting } of backlogs()) gauge.set({ engine, size }, waiting);
    },
  );
  reading(
    {
      name: 'queue_work_seconds',
      help: 'Expected engine time of the requests that wait.',
      labelNames: ['engine', 'size'],
    },
    (gauge, { backlogs }) => {
      for (const { engine, size, seconds } of backlogs()) gauge.set({ engine, size }, seconds);
    },
  );
  reading(
    { name: 'gpu_state', help: '1 for the state that the GPU is in.', labelNames: ['state'] },
    (gauge, { gpu }) => {
      const now = gpu().state;
      for (const state of GPU_STATES) gauge.set({ state }, Number(state === now));
    },
  );
  reading(
    {
      name: 'simd_lanes',
      help: 'Lanes of the SIMD kernel of the processor; the label says which it is. Absent without one.',
      labelNames: ['kernel'],
      aggregator: 'max',
    },
    (gauge, { simd }) => {
      const found = simd();
      if (found !== undefined) gauge.set({ kernel: found.kernel }, found.lanes);
    },
  );
  reading(
    {
      name: 'gpu_losses',
      help: 'How often the GPU process has ended without being asked to, since the start.',
    },
    (gauge, { gpu }) => gauge.set(gpu().losses),
  );
  reading(
    { name: 'gpu_restarts', help: 'How often the GPU process was started again, since the start.' },
    (gauge, { gpu }) => gauge.set(gpu().restarts),
  );
  reading(
    {
      name: 'market_data_age_seconds',
      help: 'Time since the last daily close of each asset.',
      labelNames: ['asset'],
      aggregator: 'max',
    },
    async (gauge, { dataAges }) => {
      for (const [asset, seconds] of await dataAges()) gauge.set({ asset }, seconds);
    },
  );
  reading(
    {
      name: 'log_lines_dropped',
      help: 'Log lines that the reader of standard error did not take in time, since the start.',
    },
    (gauge, { droppedLogLines }) => gauge.set(droppedLogLines()),
  );
  reading(
    {
      name: 'shared_counters',
      help: '1 while Redis counts the limits of all processes, 0 while this one counts for itself; absent without REDIS_URL.',
      labelNames: ['store'],
      aggregator: 'min',
    },
    (gauge, { sharedCounters }) => {
      const shared = sharedCounters();
      if (shared !== undefined) gauge.set({ store: 'redis' }, Number(shared));
    },
  );
  reading(
    { name: 'ready', help: '1 while /readyz answers 200.', aggregator: 'min' },
    async (gauge, { ready }) => gauge.set(Number(await ready())),
  );

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    read(from) {
      readings = from;
    },
    request({ operation, methodology, engine, status, seconds, queuedSeconds }) {
      requests.inc({ operation, methodology, engine, status });
      latency.observe({ operation, engine }, seconds);
      if (queuedSeconds !== undefined) queueWait.observe({ operation }, queuedSeconds);
    },
    run({ operation, engine, work, seconds }) {
      steps.inc({ operation, engine }, work);
      runSeconds.inc({ operation, engine }, seconds);
    },
    refusedKey: reason => refusedKeys.inc({ reason }),
    limited: limit => limits.inc({ limit }),
    surplusConnection: outcome => surplus.inc({ outcome }),
  };
}

/**
 * The metrics of all processes as one text, in the process that has started them.
 * @returns a function that asks every process; it rejects where one does not answer within seconds
 */
export function metricsOfAll(): () => Promise<string> {
  const registry = new AggregatorRegistry();
  return () => registry.clusterMetrics();
}
