/**
 * An isolated perpetual position on the GPU: the figures of every path (shaders/product/perpetual.wgsl).
 *
 * The first run over the paths computes all figures but the median leverage, which further runs of the same kernel narrow down
 * (shaders/product/leverage_median.wgsl). The host reads the number of pending paths after each run, the figures after the last.
 */
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, type PerpetualOutcome } from '../../engine.ts';
import { RiskError } from '../../errors.ts';
import {
  initialEquityOf,
  PERPETUAL_SECTIONS,
  positionStart,
  positionTerms,
} from '../../plan/product/perpetual.ts';
import type { PerpetualProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import { onDevice } from '../device-errors.ts';
import { named, type Program, placesOf } from '../kernels.ts';
import { readSums } from '../results.ts';
import type { GpuSession } from '../session.ts';
import { type GpuPlan, programJob, type SimulationJob, simulate } from '../simulate.ts';
import { f32, struct, u32, wordsOf } from '../struct-layout.ts';
import { COUNTING, withCounts } from './path-counts.ts';
import { type GpuProduct, inRanges } from './program.ts';

const TERMS = struct('Terms', {
  exposure: f32,
  funding: f32,
  maintenance: f32,
  margin_call: f32,
  fee: f32,
  start_peak: f32,
  exempt: f32,
  start_flags: u32,
  first_run: u32,
});

/** Order of the figures of a path on the device; only the device uses the last. */
const FIGURES = ['equityChange', 'settled', 'drawdown', 'flags', 'leverage', 'shift'] as const;
/** Bins of a path's leverage. */
const BINS = 64;

const PROGRAM = {
  name: 'perpetual',
  // log2 S or -log2 S, by the weights of asset 0.
  views: ['log-ratio'],
  files: [
    'lib/exponential.wgsl',
    'product/perpetual.wgsl',
    'product/leverage_median.wgsl',
    'kernel/simulate_position.wgsl',
  ],
  terms: TERMS,
  sums: { marginCalls: 'count', liquidations: 'count', pending: 'count' },
  // The figures replace records.
  records: {},
  // Six of the position; four and the bins of its leverage, two in a word.
  stateWords: 6 + 4 + BINS / 2,
  own: ['read-only-storage', 'storage'],
  invocationBytes: 2 * BINS,
  constants: {
    ...named('FIGURE', placesOf(FIGURES)),
    FLAG_MARGIN_CALL,
    FLAG_LIQUIDATION,
    LEVERAGE_BINS: BINS,
  },
} as const satisfies Program;

const MARK_TERMS = struct('Terms', { unused: u32 });

/** Counts the mark along the same paths in another run: the first program stops at the end of a position. */
const MARK_PROGRAM = {
  name: 'mark counts',
  views: ['log-ratio'],
  files: [...COUNTING.files, 'kernel/market_slice.wgsl', 'kernel/count_mark.wgsl'],
  terms: MARK_TERMS,
  sums: {},
  records: {},
  stateWords: 0,
  own: COUNTING.own,
  structs: COUNTING.structs,
  constants: {},
} as const satisfies Program;

/** Bins 64 times narrower each run: five runs reach the last digits wanted, wherever the median lies. */
const MAX_RUNS = 5;

type PositionColumns = Omit<
  PerpetualOutcome,
  'kind' | 'paths' | 'marginCalls' | 'liquidations' | 'distribution'
>;

/** The figures of the paths in the margin's currency. */
interface PositionFigures {
  /** The sums of the first run. */
  readonly words: Uint32Array;
  readonly columns: PositionColumns;
  readonly flags: Float64Array;
}

export const GPU_PERPETUAL: GpuProduct<PerpetualProduct> = inRanges({
  programs: [PROGRAM, MARK_PROGRAM],
  ranges: {
    async run(session, plan, signal) {
      const { words, columns } = await followPositions(session, plan, signal);
      const counts = await countMark(session, plan, signal);
      return { words, columns: { ...columns }, ...(counts && { counts }) };
    },
    outcomeOf({ paths }, { words, columns, counts }) {
      const { marginCalls, liquidations } = readSums(PROGRAM.sums, words);
      return {
        kind: 'perpetual',
        paths,
        marginCalls,
        liquidations,
        ...(columns as unknown as PositionColumns),
        ...(counts && { distribution: counts }),
      };
    },
  },
  async trace(session, plan, signal) {
    const { columns, flags } = await followPositions(session, plan, signal);
    return { ...columns, flags };
  },
});

async function followPositions(
  session: GpuSession,
  plan: GpuPlan<PerpetualProduct>,
  signal: AbortSignal | undefined,
): Promise<PositionFigures> {
  return session.scratch.lend(async scratch => {
    const settlements = await scratch.upload(
      'perpetual.settlements',
      settlementsByFour(plan.product.settlements),
    );
    const figureBytes = 4 * FIGURES.length * plan.paths;
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    const figures = await scratch.take('perpetual.figures', figureBytes, STORAGE | COPY_SRC);

    const job = (run: number) => positionJob(plan, run, [settlements, figures], signal);
    const sumsOf = async (run: number) => (await simulate(session, job(run))).sums;
    const pendingOf = (words: Uint32Array) => readSums(PROGRAM.sums, words).pending;
    const sums = await sumsOf(0);
    let pending = pendingOf(sums);
    for (let run = 1; pending > 0; run++) {
      if (run === MAX_RUNS) {
        throw new RiskError('engine-failed', `The leverage of ${pending} paths differs from run to run.`);
      }
      pending = pendingOf(await sumsOf(run));
    }
    const words = await onDevice(session.context, signal, () => scratch.read(figures, figureBytes));
    return { words: sums, ...inMarginCurrency(plan, words) };
  });
}

/** Counts the mark if the plan has a distribution. */
async function countMark(
  session: GpuSession,
  plan: GpuPlan<PerpetualProduct>,
  signal: AbortSignal | undefined,
): Promise<Float64Array | undefined> {
  const { product, scenarios, distribution: option } = plan;
  if (option === undefined) return undefined;
  const { steps } = product;
  const portfolio = { collateralWeights: Float64Array.of(1), loanWeights: Float64Array.of(0) };
  const terms = wordsOf(MARK_TERMS, { unused: 0 });
  const ofAsset = { ...plan, scenarios: { ...scenarios, assets: 1 } };
  const counted = { sections: PERPETUAL_SECTIONS, steps, option };
  const { counts } = await withCounts(session, ofAsset, counted, signal, async (block, own) => {
    const run = { view: 'log-ratio', portfolio, steps, terms, own } as const;
    return (await simulate(session, programJob(MARK_PROGRAM, block, run, signal))).sums;
  });
  return counts;
}

function positionJob(
  plan: GpuPlan<PerpetualProduct>,
  run: number,
  own: readonly GPUBuffer[],
  signal: AbortSignal | undefined,
): SimulationJob {
  const { product, scenarios } = plan;
  // The price of asset 0 against nothing, or nothing against it: log2 S and -log2 S. Other assets do not touch it.
  const [weight, none] = [Float64Array.of(1), Float64Array.of(0)];
  const portfolio =
    product.contract === 'linear'
      ? { collateralWeights: weight, loanWeights: none }
      : { collateralWeights: none, loanWeights: weight };
  const terms = packTerms(product, run === 0);
  return programJob(
    PROGRAM,
    { ...plan, scenarios: { ...scenarios, assets: 1 } },
    { view: 'log-ratio', portfolio, steps: product.steps, terms, own },
    signal,
  );
}

function packTerms(product: PerpetualProduct, firstRun: boolean): Uint32Array<ArrayBuffer> {
  const { exposure, funding, maintenance, marginCall, fee, exempt } = positionTerms(product);
  const { peak, called } = positionStart(product);
  return wordsOf(TERMS, {
    exposure,
    funding,
    maintenance,
    margin_call: marginCall,
    fee,
    start_peak: peak,
    exempt,
    start_flags: called ? FLAG_MARGIN_CALL : 0,
    first_run: firstRun ? 1 : 0,
  });
}

/** Counts padded to whole groups of four steps. */
function settlementsByFour(settlements: Uint32Array): Uint32Array<ArrayBuffer> {
  const padded = new Uint32Array(4 * Math.ceil(settlements.length / 4));
  padded.set(settlements);
  return padded;
}

/** Figures of the device in units of the initial equity, turned into amounts in double precision. */
function inMarginCurrency(
  { paths, product }: SimulationPlan<PerpetualProduct>,
  words: Uint32Array<ArrayBuffer>,
): Pick<PositionFigures, 'columns' | 'flags'> {
  const field = (name: (typeof FIGURES)[number]) =>
    words.subarray(FIGURES.indexOf(name) * paths, (FIGURES.indexOf(name) + 1) * paths);
  const reals = (name: (typeof FIGURES)[number]) => {
    const { buffer, byteOffset } = field(name);
    return Float64Array.from(new Float32Array(buffer, byteOffset, paths));
  };
  const equity = initialEquityOf(product);
  const funding = equity * positionTerms(product).funding;
  return {
    columns: {
      finalEquity: reals('equityChange').map(change => equity * (1 + change)),
      accumulatedFunding: reals('settled').map(settled => funding * settled),
      maxEquityDrawdown: reals('drawdown').map(fall => equity * fall),
      medianLeverage: reals('leverage'),
    },
    flags: Float64Array.from(field('flags')),
  };
}
