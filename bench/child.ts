/**
 * Entry point of a measuring process: one job in, one answer out.
 *
 * A process of its own for each measurement: compilers, heaps and devices start afresh, and a half-speed process shows
 * as one of several (medians are over processes).
 */
import { usualPlans } from '#src/core/gpu/warm-up.js';
import { planSteps } from '#src/core/plan/simulation-plan.js';
import { engineNamed, type OpenEngine } from './engines.ts';
import type { ChildAnswer, Job } from './jobs.ts';
import { WrongAnswer } from './judge.ts';
import { measure } from './measure.ts';
import type { ColdKernel } from './measure-kernels.ts';
import { planNamed, stretchedPlan } from './plans.ts';

function answer(message: ChildAnswer): void {
  process.send?.(message, () => process.exit(0));
}

async function describe({ engine, device }: OpenEngine): Promise<ChildAnswer> {
  return {
    kind: 'described',
    description: engine.description,
    ...(device === undefined
      ? {}
      : {
          adapter: {
            vendor: device.adapterInfo.vendor,
            architecture: device.adapterInfo.architecture,
            device: device.adapterInfo.device,
            description: device.adapterInfo.description,
          },
          features: [...device.features].sort(),
          limits: {
            maxComputeInvocationsPerWorkgroup: device.limits.maxComputeInvocationsPerWorkgroup,
            maxComputeWorkgroupStorageSize: device.limits.maxComputeWorkgroupStorageSize,
            maxComputeWorkgroupsPerDimension: device.limits.maxComputeWorkgroupsPerDimension,
            maxStorageBufferBindingSize: device.limits.maxStorageBufferBindingSize,
            maxBufferSize: device.limits.maxBufferSize,
          },
        }),
  };
}

async function coldKernels({ engine }: OpenEngine, most: number): Promise<ChildAnswer> {
  const kernels: ColdKernel[] = [];
  for (const plan of usualPlans()
    .filter(each => engine.supports(each))
    .slice(0, most)) {
    const start = performance.now();
    await engine.run(plan);
    const { product, scenarios } = plan;
    const kernel = `${product.kind} ${scenarios.kind} ${scenarios.assets}`;
    kernels.push({ kernel, milliseconds: performance.now() - start });
  }
  return { kind: 'kernels', kernels };
}

async function work(job: Job): Promise<ChildAnswer> {
  const size = 'workgroupSize' in job ? job.workgroupSize : undefined;
  const opened = await engineNamed(job.engine).open(size);
  if (job.kind === 'describe') return describe(opened);
  if (job.kind === 'kernels') return coldKernels(opened, job.most);
  const bench = 'axis' in job ? stretchedPlan(job.axis, job.size) : planNamed(job.plan);
  const plan = bench.plan(job.effort.paths, job.effort.seed);
  if (!opened.engine.supports(plan)) return { kind: 'unsupported' };
  const measurement = await measure(opened, bench, job.effort);
  return { kind: 'measured', steps: planSteps(plan), assets: plan.scenarios.assets, measurement };
}

try {
  answer(await work(JSON.parse(process.argv[2]) as Job));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  answer({ kind: error instanceof WrongAnswer ? 'wrong' : 'failed', message });
}
