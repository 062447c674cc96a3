/**
 * Cross-margined accounts on the GPU: the figures of every path (shaders/product/account.wgsl), closes included. The outcome is made of them as
 * on the processor; further runs of the same kernel narrow down the median leverage, as those of a perpetual do (perpetual.ts).
 */

import { noCloses } from '../../account/closing.ts';
import type { PathRecords } from '../../engine.ts';
import { RiskError } from '../../errors.ts';
import { fanSteps } from '../../plan/distribution.ts';
import { concatenate, mergeOutcomes } from '../../plan/merge-outcomes.ts';
import { type AccountOutcome, type AccountProduct, MOST_GPU_ROWS } from '../../plan/product/account.ts';
import { contractOf } from '../../plan/products.ts';
import { type PathRange, RecordSink } from '../../plan/records.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { type AccountFollower, AccountOnPath, NEVER } from '../../product/account.ts';
import { accountOutcome } from '../../product/account-outcome.ts';
import { hourLaw } from '../../reference/hour-law.ts';
import { ACCOUNT_CONSTANTS, ACCOUNT_TERMS, type AccountPlaces, accountTerms } from '../account-terms.ts';
import { onDevice } from '../device-errors.ts';
import { named, type Program, placesOf } from '../kernels.ts';
import { countRatios } from '../order/slot-counts.ts';
import { readSums } from '../results.ts';
import type { GpuSession } from '../session.ts';
import { programJob, simulate } from '../simulate.ts';
import type { GpuProduct } from './program.ts';

/** Order of the figures of a path on the device; those of the rows follow. */
const FIGURES = [
  'equity',
  'largestFall',
  'forced',
  'leverage',
  'shift',
  'fees',
  'shortfall',
  'takenOver',
  'deleveraged',
  'callHour',
  'closeHour',
  'endHour',
] as const;
/** Share that is open, and funding; for parts of losses what is booked in its currency, too. */
const ROW_FIGURES = 2;
const ROW_PARTS = 1;
/** Words of a row of what closes work on. */
const STORE_WORDS = 6;
/** Bins of a path's leverage. */
const BINS = 64;
/** Bins 64 times narrower each run: five runs reach the last digits wanted, wherever the median lies. */
const MAX_RUNS = 5;
/** Paths whose figures are on the device at a time. */
const RANGE_PATHS = 2 ** 17;

/** Hours whose gains are kept before that before a group, where deciding prices are late. */
const LATE_HOURS = 5;

/** The parts of an account of which a kernel is made. */
interface ProgramPlaces extends AccountPlaces {
  readonly assets: number;
  /** Hours whose gains are kept. */
  readonly late: number;
  readonly processes: number;
}

/** Of a path in workgroup memory: gains in 6 slots, slopes and deviations of prices; balances and values; bins; processes and returns. */
const memoryBytes = ({ assets, currencies, late, processes }: ProgramPlaces): number =>
  Uint32Array.BYTES_PER_ELEMENT *
  ((8 + late) * (assets + 1) + 4 * currencies + BINS / 2 + 6 * processes + (processes > 0 ? 4 * assets : 0));

/** The pipeline constants of a kernel, and the bytes of an invocation. */
const sizesOf = (places: ProgramPlaces) => ({
  overrides: {
    account_rows: places.rows,
    account_currencies: places.currencies,
    account_late: places.late,
    account_processes: places.processes,
  },
  invocationBytes: memoryBytes(places),
});

const PROGRAM = {
  name: 'account',
  views: ['hours'],
  files: [
    'lib/exponential.wgsl',
    'product/account_memory.wgsl',
    'product/account_funding.wgsl',
    'product/account_value.wgsl',
    'product/account_touch.wgsl',
    'product/account_rules.wgsl',
    'product/account_closing.wgsl',
    'product/account_rows.wgsl',
    'product/account_event.wgsl',
    'product/account.wgsl',
    'product/leverage_median.wgsl',
    'kernel/simulate_account.wgsl',
  ],
  terms: ACCOUNT_TERMS,
  sums: { pending: 'count' },
  // The figures replace records.
  records: {},
  // Rows, the account, and the search for the median leverage.
  stateWords: 16 + 7 + 4 + BINS / 2,
  own: ['read-only-storage', 'storage', 'storage'],
  // The most rows, on up to 8 assets.
  ...sizesOf({ rows: MOST_GPU_ROWS, currencies: 4, assets: 8, late: 0, processes: 0 }),
  constants: {
    ...named('FIGURE', { ...placesOf(FIGURES), rows: FIGURES.length }),
    ...ACCOUNT_CONSTANTS,
    ACCOUNT_ROW_FIGURES: ROW_FIGURES,
    ACCOUNT_ROW_PARTS: ROW_PARTS,
    ACCOUNT_STORE_WORDS: STORE_WORDS,
    LEVERAGE_BINS: BINS,
  },
} as const satisfies Program;

const powerOfTwo = (count: number) => 2 ** Math.ceil(Math.log2(count));

export const GPU_ACCOUNT: GpuProduct<AccountProduct> = {
  programs: [PROGRAM],
  run: (session, plan, signal, onProgress) => followAccounts(session, plan, { signal, onProgress }),
  async trace(session, plan, signal): Promise<PathRecords> {
    const fields = contractOf(plan.product).recordFields(plan.product);
    const records = new RecordSink(fields.length, { first: 0, count: plan.paths });
    await followAccounts(session, plan, { signal, records });
    return Object.fromEntries(fields.map((field, i) => [field, records.columns[i]]));
  },
};

interface FollowOptions {
  readonly signal: AbortSignal | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly records?: RecordSink;
}

async function followAccounts(
  session: GpuSession,
  plan: SimulationPlan<AccountProduct>,
  { signal, onProgress, records }: FollowOptions,
): Promise<AccountOutcome> {
  const { paths } = plan;
  const parts: AccountOutcome[] = [];
  for (let first = 0; first < paths; first += RANGE_PATHS) {
    const range = { first, count: Math.min(RANGE_PATHS, paths - first) };
    const { follower, distribution } = await followRange(session, plan, range, signal);
    const outcome = accountOutcome(plan, range, records, follower, undefined);
    parts.push({ ...outcome, ...(distribution && { distribution }) });
    onProgress?.((first + range.count) / paths);
  }
  return mergeOutcomes(parts);
}

/** Runs the paths of a range. @returns the account at the end of one path after another, and the counts of its equity */
function followRange(
  session: GpuSession,
  plan: SimulationPlan<AccountProduct>,
  { first, count }: PathRange,
  signal: AbortSignal | undefined,
) {
  const { product, scenarios, seed } = plan;
  const { assets } = scenarios;
  const law = hourLaw(scenarios, seed);
  const account = new AccountOnPath(product, plan, law);
  account.begin(0);
  const shock = Float64Array.from({ length: assets + 1 }, (_, i) => product.shock?.[i] ?? 1);
  // Places are powers of two: few kernels serve all accounts.
  const places: ProgramPlaces = {
    rows: powerOfTwo(product.rows.length),
    currencies: powerOfTwo(product.currencies.length),
    assets,
    late: product.feedLagHours > 0 ? LATE_HOURS : 0,
    processes: product.processes.length === 0 ? 0 : powerOfTwo(product.processes.length),
  };
  const isTail = product.tail !== undefined;
  const times = plan.distribution === undefined ? 0 : fanSteps(product.steps).length;
  const { data, terms } = accountTerms(account, law, shock, places, {
    times,
    paths: product.tail?.paths.subarray(first, first + count),
  });
  const program: Program = { ...PROGRAM, ...sizesOf(places) };
  const rowWords = (ROW_FIGURES + (isTail ? ROW_PARTS : 0)) * places.rows;
  const fields = FIGURES.length + rowWords + (isTail ? assets : 0);
  const storeWords =
    STORE_WORDS * places.rows + 3 * places.currencies + 2 * places.processes + (1 + places.late) * assets;
  // All assets, whatever the weights: prices need none.
  const none = new Float64Array(assets);
  const portfolio = { collateralWeights: none, loanWeights: none };
  return session.scratch.lend(async scratch => {
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    const buffer = await scratch.take('account.figures', 4 * (times + fields) * count, STORAGE | COPY_SRC);
    const own = [
      await scratch.upload('account.data', data),
      buffer,
      await scratch.take('account.stores', 4 * storeWords * count, STORAGE),
    ];
    for (let run = 0, pending = 1; pending > 0; run++) {
      if (run === MAX_RUNS)
        throw new RiskError('engine-failed', `The leverage of ${pending} paths differs from run to run.`);
      const job = programJob(
        program,
        { seed, scenarios, firstPath: first, paths: count },
        {
          view: 'hours',
          portfolio,
          steps: product.steps,
          stepWork: 1 + places.rows / 2,
          terms: terms(run),
          own,
        },
        signal,
      );
      const { sums } = await simulate(session, job);
      // Parts of losses need no median.
      pending = isTail ? 0 : readSums(PROGRAM.sums, sums).pending;
    }
    const counts =
      times === 0
        ? undefined
        : await countRatios(session, scratch, { buffer, count: times, values: count }, signal);
    const words = await onDevice(session.context, signal, () =>
      scratch.read(buffer, 4 * fields * count, 4 * times * count),
    );
    const follower = new FiguresFollower(account, words, count, shock, places.rows);
    return { follower, distribution: counts && concatenate(counts) };
  });
}

/** Makes an account that of one path after another, of the figures of the device. */
class FiguresFollower implements AccountFollower {
  private place = -1;
  private readonly reals: Float32Array;
  /** Of the account at the start, after a shock. */
  private readonly atStart: Pick<AccountOnPath, 'callHour' | 'closeHour' | 'endHour'>;
  private readonly closes: AccountOnPath['closing']['closes'];

  constructor(
    readonly account: AccountOnPath,
    private readonly words: Uint32Array<ArrayBuffer>,
    private readonly paths: number,
    private readonly shock: Float64Array,
    private readonly rowPlaces: number,
  ) {
    this.reals = new Float32Array(words.buffer, words.byteOffset, words.length);
    const { callHour, closeHour, endHour } = account;
    this.atStart = { callHour, closeHour, endHour };
    this.closes = account.closing.closes;
    account.closing.closes = noCloses(account.state.open.length);
    account.closing.closes.ended = this.closes.ended;
  }

  /** Paths come one after another, whatever their numbers. */
  follow(): void {
    this.place++;
    const { account, closes: start, shock, rowPlaces, atStart } = this;
    const { state, equityAtStart: equity, closing } = account;
    const { product } = account.account;
    const { closes } = closing;
    const amount = (figure: (typeof FIGURES)[number]) => this.real(FIGURES.indexOf(figure)) * equity;
    const hour = (figure: 'callHour' | 'closeHour' | 'endHour') =>
      atStart[figure] === NEVER ? this.word(FIGURES.indexOf(figure)) | 0 : atStart[figure];
    account.callHour = hour('callHour');
    account.closeHour = hour('closeHour');
    account.endHour = hour('endHour');
    account.finalEquity = amount('equity');
    account.maxEquityDrawdown = amount('largestFall');
    account.medianLeverage = this.real(FIGURES.indexOf('leverage'));
    closes.fees = start.fees + amount('fees');
    closes.shortfall = start.shortfall + amount('shortfall');
    closes.takenOver = start.takenOver + amount('takenOver');
    closes.deleveraged = start.deleveraged + amount('deleveraged');
    const forced = this.word(FIGURES.indexOf('forced'));
    account.accumulatedFunding = 0;
    const parts = FIGURES.length + ROW_FIGURES * rowPlaces;
    for (let i = 0; i < state.open.length; i++) {
      const field = FIGURES.length + ROW_FIGURES * i;
      state.open[i] = this.real(field);
      account.rowFunding[i] = this.real(field + 1) * equity;
      account.accumulatedFunding += account.rowFunding[i];
      closes.forced[i] = start.forced[i] | ((forced >>> i) & 1);
      if (product.tail === undefined) continue;
      // Closes and funding together, in units of the currency before a shock.
      const unit = equity / shock[product.currencies[product.rows[i].currency].asset];
      closes.gained[i] = start.gained[i];
      account.fundingUnits[i] = this.real(parts + i) * unit;
    }
    if (product.tail !== undefined) {
      const gains = parts + ROW_PARTS * rowPlaces;
      for (let i = 0; i < shock.length - 1; i++) account.endPrices[i] = shock[i] * (1 + this.real(gains + i));
    }
    account.setFlags();
  }

  private word(field: number): number {
    return this.words[field * this.paths + this.place];
  }

  private real(field: number): number {
    return this.reals[field * this.paths + this.place];
  }
}
