/** Cold times: how long the first run of every usual kernel takes in a new process, nearly all of it compilation by the driver. */
import type { BenchEngine } from './engines.ts';
import { ask } from './jobs.ts';
import type { Diligence } from './measure-plans.ts';

export interface ColdKernel {
  /** Product, model and number of assets, such as `loan gbm 2`. */
  readonly kernel: string;
  readonly milliseconds: number;
}

export interface ColdRow {
  readonly engine: string;
  readonly kernels: readonly ColdKernel[];
  readonly message?: string;
}

export async function measureKernels({ name }: BenchEngine, { quick }: Diligence): Promise<ColdRow> {
  const { answer } = await ask({ kind: 'kernels', engine: name, most: quick ? 4 : Number.MAX_SAFE_INTEGER });
  if (answer.kind === 'kernels') return { engine: name, kernels: answer.kernels };
  return { engine: name, kernels: [], message: 'message' in answer ? answer.message : answer.kind };
}
