/** The kernels whose machine code is looked at, each with the number of assets that a plan has. */
import { BOOK_KERNELS } from '#src/core/gpu/book/kernels.js';
import type { Kernel } from '#src/core/gpu/kernels.js';
import { ORDER_KERNELS } from '#src/core/gpu/order/kernels.js';
import { simulationKernels } from '#src/core/gpu/products.js';

/** A kernel on so many assets; 0 where it does not depend on them. */
export interface Variant {
  readonly kernel: Kernel;
  readonly assets: number;
}

/** The rows of the usual table: every product under GBM, every model under one product, baskets of growing size. */
const USUAL: readonly (readonly [name: string, ...assets: number[]])[] = [
  ['loan gbm log-ratio', 2],
  ['loan garch log-ratio', 2],
  ['loan student-t log-ratio', 2],
  ['loan filtered-historical log-ratio', 2],
  ['loan bootstrap log-ratio', 2],
  ['loan gbm ratio', 5, 8, 12, 16, 24, 32],
  ['loan garch ratio', 5],
  ['loan filtered-historical ratio', 5],
  ['loan gbm ratio-difference', 5],
  ['loan counts gbm log-ratio', 2],
  ['loan weighted gbm-shifted log-ratio', 2],
  ['loan under way gbm loan-pair', 2],
  ['capped loan gbm loan-pair', 2],
  ['capped loan gbm loan-basket', 5],
  ['origination minimum gbm log-ratio', 2],
  ['origination scan gbm log-ratio', 2],
  ['origination scan gbm ratio', 5, 16, 24],
  ['perpetual gbm log-ratio', 1],
  ['mark counts gbm log-ratio', 1],
  ['account gbm hours', 2, 5, 8],
  ['horizon values gbm horizons', 2, 5],
  ['book prices gbm prices', 5, 12, 24, 32],
  ['book prices garch prices', 5],
  ['book prices bootstrap prices', 5],
  ...[...BOOK_KERNELS, ...ORDER_KERNELS].map(({ name }) => [name, 0] as const),
];

const KERNELS: readonly Kernel[] = [...simulationKernels(), ...BOOK_KERNELS, ...ORDER_KERNELS];

/** Assets of a kernel that is not in the usual table. */
function assetsOf({ name, shared }: Kernel): number {
  if (shared === 'none') return 0;
  if (/^(perpetual|mark)/.test(name)) return 1;
  return /log-ratio|pair/.test(name) ? 2 : 5;
}

/** The kernels of the usual table, and with `all` every other one, once. @param only beginnings of names; empty for all */
export function chosenVariants(all: boolean, only: readonly string[]): readonly Variant[] {
  const usual = new Set(USUAL.map(([name]) => name));
  const others = KERNELS.filter(({ name }) => all && !usual.has(name));
  return [...USUAL, ...others.map(kernel => [kernel.name, assetsOf(kernel)] as const)]
    .filter(([name]) => only.length === 0 || only.some(beginning => name.startsWith(beginning)))
    .flatMap(([name, ...assets]) => {
      const kernel = KERNELS.find(each => each.name === name);
      if (kernel === undefined) throw new Error(`There is no kernel "${name}".`);
      return assets.map(count => ({ kernel, assets: count }));
    });
}

/** The name of a variant in tables and records. */
export const nameOf = ({ kernel, assets }: Variant): string =>
  assets === 0 ? kernel.name : `${kernel.name}, ${assets} ${assets === 1 ? 'asset' : 'assets'}`;

const USUAL_NAMES = new Set(chosenVariants(false, []).map(nameOf));

/** Whether the usual table has a variant of this name. */
export const isUsual = (name: string): boolean => USUAL_NAMES.has(name);
