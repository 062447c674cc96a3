/**
 * What the service counts and measures, in the text format of Prometheus.
 *
 * Takes: requests and runs as they end, and readings that are taken when /metrics is read. Gives: the text of /metrics.
 * Must not know: HTTP frameworks, what is computed. No label is made from what a caller sent.
 */
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type LabelValues,
  Registry,
} from 'prom-client';
import { answerWithin, type Clock, processClock } from '../core/clock.ts';

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
  /** Reads and writes everything. Settles within 3 s, without the readings that take longer. */
  text(): Promise<string>;
  /** The same, for `joinMetrics` in another process. */
  report(): Promise<ProcessMetrics>;
  request(observed: ObservedRequest): void;
  run(observed: ObservedRun): void;
  /** A key that was refused, and why. */
  refusedKey(reason: 'missing' | 'unknown' | 'expired' | 'throttled'): void;
  /** A limit of a key that was reached. */
  limited(limit: 'work' | 'concurrent'): void;
  /** A connection beyond the limit: a silent one was closed for it, or it was refused. */
  surplusConnection(outcome: 'silent' | 'refused'): void;
}

/** The metrics of one process, as messages between processes have them. */
export type ProcessMetrics = readonly object[];

interface Sample<L extends string> {
  readonly labels?: LabelValues<L>;
  readonly value: number;
}

const PREFIX = 'risk_';
/** Deadline of a reading; longer than that of a check of readiness, less than Prometheus waits. */
const READING_MS = 3000;
const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const GPU_STATES = ['none', 'ready', 'restarting', 'given-up'];

/**
 * @param processMetrics whether figures of the process and of Node are collected; tests leave them out
 * @param clock of the deadlines of readings
 */
export function createMetrics(version: string, processMetrics = true, clock: Clock = processClock): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (processMetrics) collectDefaultMetrics({ register: registry });
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
  function reading<L extends string = never>(
    { name, ...options }: Pick<GaugeConfiguration<L>, 'name' | 'help' | 'labelNames' | 'aggregator'>,
    read: (from: Readings) => Iterable<Sample<L>> | Promise<Iterable<Sample<L>>>,
  ): void {
    new Gauge<L>({
      ...options,
      name: PREFIX + name,
      registers,
      async collect() {
        if (readings === undefined) return;
        let samples: Iterable<Sample<L>> = [];
        try {
          samples = await answerWithin(clock, READING_MS, Promise.resolve(read(readings)));
        } catch {
          failedReadings.inc({ metric: PREFIX + name });
        }
        // What has gone since the last reading is absent from this one.
        if (options.labelNames === undefined) this.remove();
        else this.reset();
        for (const { labels, value } of samples)
          if (labels === undefined) this.set(value);
          else this.set(labels, value);
      },
    });
  }
  reading(
    {
      name: 'queue_length',
      help: 'Requests that wait, by engine and size: small or large.',
      labelNames: ['engine', 'size'],
    },
    ({ backlogs }) =>
      Array.from(backlogs(), ({ engine, size, waiting }) => ({ labels: { engine, size }, value: waiting })),
  );
  reading(
    {
      name: 'queue_work_seconds',
      help: 'Expected engine time of the requests that wait.',
      labelNames: ['engine', 'size'],
    },
    ({ backlogs }) =>
      Array.from(backlogs(), ({ engine, size, seconds }) => ({ labels: { engine, size }, value: seconds })),
  );
  reading(
    { name: 'gpu_state', help: '1 for the state that the GPU is in.', labelNames: ['state'] },
    ({ gpu }) => {
      const now = gpu().state;
      return GPU_STATES.map(state => ({ labels: { state }, value: Number(state === now) }));
    },
  );
  reading(
    {
      name: 'simd_lanes',
      help: 'Lanes of the SIMD kernel of the processor; the label says which it is. Absent without one.',
      labelNames: ['kernel'],
      aggregator: 'max',
    },
    ({ simd }) => {
      const found = simd();
      return found === undefined ? [] : [{ labels: { kernel: found.kernel }, value: found.lanes }];
    },
  );
  reading(
    {
      name: 'gpu_losses',
      help: 'How often the GPU process has ended without being asked to, since the start.',
    },
    ({ gpu }) => [{ value: gpu().losses }],
  );
  reading(
    { name: 'gpu_restarts', help: 'How often the GPU process was started again, since the start.' },
    ({ gpu }) => [{ value: gpu().restarts }],
  );
  reading(
    {
      name: 'market_data_age_seconds',
      help: 'Time since the last daily close of each asset.',
      labelNames: ['asset'],
      aggregator: 'max',
    },
    async ({ dataAges }) =>
      Array.from(await dataAges(), ([asset, seconds]) => ({ labels: { asset }, value: seconds })),
  );
  reading(
    {
      name: 'log_lines_dropped',
      help: 'Log lines that the reader of standard error did not take in time, since the start.',
    },
    ({ droppedLogLines }) => [{ value: droppedLogLines() }],
  );
  reading(
    {
      name: 'shared_counters',
      help: '1 while Redis counts the limits of all processes, 0 while this one counts for itself; absent without REDIS_URL.',
      labelNames: ['store'],
      aggregator: 'min',
    },
    ({ sharedCounters }) => {
      const shared = sharedCounters();
      return shared === undefined ? [] : [{ labels: { store: 'redis' }, value: Number(shared) }];
    },
  );
  reading({ name: 'ready', help: '1 while /readyz answers 200.', aggregator: 'min' }, async ({ ready }) => [
    { value: Number(await ready()) },
  ]);

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    report: () => registry.getMetricsAsJSON(),
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
 * The metrics of several processes as one text: sums, but where a metric says otherwise.
 * @param reports by the number of the process; undefined for one that did not report
 */
export function joinMetrics(reports: ReadonlyMap<number, ProcessMetrics | undefined>): Promise<string> {
  const present = [...reports.values()].filter(report => report !== undefined);
  const joined = AggregatorRegistry.aggregate(present);
  const up = new Gauge({
    name: `${PREFIX}process_up`,
    help: 'With PROCESSES: 1 for a process whose metrics are in this answer, 0 for one that did not report them in time.',
    labelNames: ['process'],
    registers: [joined],
  });
  for (const [process, report] of reports) up.set({ process }, Number(report !== undefined));
  return joined.metrics();
}
