/** The products on the GPU, one row each; `undefined` for a product that only the CPU has. */
import { hasWeights, MODEL_KINDS, type ModelKind } from '../plan/models.ts';
import { PRODUCT_KINDS, type ProductKind } from '../plan/product/kinds.ts';
import type { Product, ProductOf } from '../plan/products.ts';
import { type Program, type SimulationKernel, simulationKernel } from './kernels.ts';
import { gpuMarket } from './models.ts';
import { GPU_ACCOUNT } from './product/account.ts';
import { GPU_ADVANCE_RATE } from './product/advance-rate.ts';
import { GPU_BOOK } from './product/book.ts';
import { GPU_CAPPED_LOAN } from './product/capped-loan.ts';
import { GPU_LOAN } from './product/loan.ts';
import { GPU_ORIGINATION } from './product/origination.ts';
import { GPU_PERPETUAL } from './product/perpetual.ts';
import type { GpuProduct } from './product/program.ts';
import { GPU_VALUE_AT_RISK } from './product/value-at-risk.ts';

const GPU_PRODUCTS: { readonly [K in ProductKind]: GpuProduct<ProductOf<K>> | undefined } = {
  loan: GPU_LOAN,
  origination: GPU_ORIGINATION,
  'capped-loan': GPU_CAPPED_LOAN,
  'value-at-risk': GPU_VALUE_AT_RISK,
  'advance-rate': GPU_ADVANCE_RATE,
  perpetual: GPU_PERPETUAL,
  account: GPU_ACCOUNT,
  book: GPU_BOOK,
};

/** The row of a product; `undefined` where the GPU lacks it, or the model under one of its views. */
export function gpuProduct<P extends Product>(kind: P['kind'], model: ModelKind): GpuProduct<P> | undefined {
  const product = GPU_PRODUCTS[kind] as unknown as GpuProduct<P> | undefined;
  const views = product?.programs.filter(program => takes(program, model)).flatMap(each => each.views) ?? [];
  if (views.length === 0) return undefined;
  return views.every(view => gpuMarket(model, view) !== undefined) ? product : undefined;
}

/** Whether a program runs on a model: on paths with weights, or without. */
const takes = ({ weighs }: Program, model: ModelKind): boolean => (weighs === true) === hasWeights(model);

/** Every simulation kernel. */
export function simulationKernels(): readonly SimulationKernel[] {
  return PRODUCT_KINDS.flatMap(kind => GPU_PRODUCTS[kind]?.programs ?? []).flatMap(program =>
    program.views.flatMap(view =>
      MODEL_KINDS.filter(model => takes(program, model)).flatMap(model => {
        const market = gpuMarket(model, view);
        return market === undefined ? [] : [simulationKernel(program, model, view, market)];
      }),
    ),
  );
}
