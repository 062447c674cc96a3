/**
 * The parts of the core for a host outside Node, such as a page or a worker: engines, plans, figures.
 *
 * The host provides the shader files, the bytes of the kernel of kernel/, and WebGPU with its constants as globals.
 * Nothing here uses Node: src/core/tsconfig.json has the types of browsers only.
 */
export type { Engine, EngineDescription, PathRecords, RunOptions } from './engine.ts';
export { cappedLoanFigures } from './figures/capped-loan.ts';
export { loanFigures } from './figures/loan.ts';
export { positionFigures } from './figures/perpetual.ts';
export { keyedTails } from './figures/value-at-risk.ts';
export { createGpuEngine, gpuSupports } from './gpu/gpu-engine.ts';
export { requestContext } from './gpu/request-context.ts';
export type { DispatchOptions, GpuHost } from './gpu/session.ts';
export { decodePlan, encodePlan } from './plan/codec.ts';
export type { Outcome, OutcomeOf } from './plan/products.ts';
export type { Product, Scenarios, SimulationPlan } from './plan/simulation-plan.ts';
export { createSimdEngine } from './simd/simd-engine.ts';
