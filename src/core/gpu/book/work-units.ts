/** The work on a block of paths in units of about the same duration: some days of prices, or some loans along whole paths. */
import { DAY_STEPS, DAYS_PER_BLOCK } from '../../book/price-extremes.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import { LOANS_PER_INVOCATION, pathWords } from './kernels.ts';

/** Paths whose prices, of ten assets over a month, fit the cache of a processor: a software device needs no more. */
const CACHED_PATHS = 1024;
/**
 * Paths of the prices of a block that give every multiprocessor of a large GPU (132) a workgroup: with fewer the kernel takes as long. The
 * loans read mostly extremes of days, a tenth of the prices, so a block of so many fits its cache, too.
 */
const FILLING_PATHS = 132 * 128;

/** Price rows of a path: a row a step, and the lowest and highest of every day and of every six days. */
function priceRows(steps: number): number {
  const days = Math.ceil(steps / DAY_STEPS);
  return steps + 2 * (days + Math.ceil(days / DAYS_PER_BLOCK));
}

/**
 * Bytes of a path's prices, and the largest number of paths in a block.
 *
 * @param device.bytes of its largest buffer
 * @param device.parallelPaths fewest paths that occupy all its processors
 * @param weighted whether the weights of the paths follow their prices
 */
export function bookSize(
  { steps, loanValue }: BookProduct,
  assets: number,
  device: { readonly bytes: number; readonly parallelPaths: number },
  weighted = false,
) {
  const pathBytes = 4 * (priceRows(steps) * assets + (weighted ? 1 : 0));
  const wanted = Math.max(
    CACHED_PATHS,
    Math.min(FILLING_PATHS, device.parallelPaths),
    Math.ceil(device.parallelPaths / loanBlocks(loanValue.length)),
  );
  const fitting = Math.floor(device.bytes / Math.max(pathBytes, 4 * pathWords(steps)));
  return { pathBytes, blockPaths: Math.max(1, Math.min(wanted, fitting)) };
}

export interface WorkUnits {
  /** Work units of prices, which come before the loans. */
  readonly prices: number;
  readonly total: number;
  /** Days of a unit of prices. */
  readonly days: number;
  /** Work of a unit, in steps of one loan. */
  readonly work: number;
}

/** Duration of an asset's step, in steps of a loan with rare events. */
const ASSET_TO_LOAN_STEP = 10;

export function workUnits({ steps, loanValue }: BookProduct, assets: number): WorkUnits {
  const work = LOANS_PER_INVOCATION * steps;
  const days = Math.max(1, Math.round(work / (ASSET_TO_LOAN_STEP * assets * DAY_STEPS)));
  const prices = Math.ceil(Math.ceil(steps / DAY_STEPS) / days);
  return { prices, days, work, total: prices + loanBlocks(loanValue.length) };
}

/** The steps of the units of prices among the units from `from` to `to`. */
export function pricedSteps(units: WorkUnits, steps: number, from: number, to: number) {
  const stepsOf = (unit: number) => Math.min(steps, Math.min(unit, units.prices) * units.days * DAY_STEPS);
  return { first: stepsOf(from), end: stepsOf(to) };
}

const loanBlocks = (loans: number) => Math.ceil(loans / LOANS_PER_INVOCATION);
