/**
 * The SIMD kernel as AssemblyScript compiles it, beside the same operations in C by clang (bench/clang/pair.c): W1 on one thread.
 *
 *   node build/bench/clang-kernel.js [rounds]
 *
 * Needs clang 16 and its linker for WebAssembly (Debian: clang-16, lld-16); CLANG names another compiler. The results of every form
 * must be those of the engine's kernel, byte for byte, before a rate is told. All forms take turns, so that what else the machine does
 * slows all of them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ratioThresholds } from '#src/core/plan/ratio-path.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { writeMarket, writeRules } from '#src/core/simd/parameters.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { quantileOf, report } from './operations/figures.ts';
import { w1Simulation } from './plans/w1.ts';
import { projectFile } from './project.ts';

const COMPILER = process.env.CLANG ?? 'clang-16';
const FLAGS = ['--target=wasm32', '-O3', '-msimd128', '-ffp-contract=off', '-nostdlib', '-Wl,--no-entry'];
const FORMS = {
  passes: [],
  'passes, constants in memory': ['-DTABLE'],
  'in registers': ['-DFUSED'],
} as const;
const PACKETS = 2048;
const SEED = 7;
const PARAMETERS = 7;
const rounds = Number(process.argv[2] ?? 40);

/** A kernel that is ready to run the packets of the plan. */
interface Runner {
  readonly name: string;
  run(): void;
  results(): Uint8Array;
}

interface ClangExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  parameters(): number;
  results(): number;
  runLoans(seed: number, first: number, packets: number, steps: number, topUpSteps: number): void;
}

const LANES = 4;
const VECTOR_BYTES = 16;
const plan = w1Simulation({ steps: 720, assets: 2 }, LANES * PACKETS, SEED);
const { steps, topUpSteps, portfolio } = plan.product;
const resultBytes = PACKETS * 4 * VECTOR_BYTES;

function assemblyScript(): Runner & { readonly parameters: Uint8Array } {
  const kernel = instantiateKernel(readKernel());
  const domain = writeMarket(kernel, plan.scenarios, portfolio, plan.seed, 0);
  writeRules(kernel, ratioThresholds(plan.product, domain));
  const { PAIR, RULES, RESULTS, memory } = kernel.exports;
  const bytes = (at: number, length: number) => new Uint8Array(memory.buffer, at, length);
  const parameters = new Uint8Array(PARAMETERS * VECTOR_BYTES);
  parameters.set(bytes(PAIR.value, 4 * VECTOR_BYTES));
  parameters.set(bytes(RULES.value, 3 * VECTOR_BYTES), 4 * VECTOR_BYTES);
  return {
    name: 'AssemblyScript',
    run: () => kernel.exports.runLoans(0, PACKETS, steps, topUpSteps),
    results: () => bytes(RESULTS.value, resultBytes).slice(),
    parameters,
  };
}

function clang(name: keyof typeof FORMS, parameters: Uint8Array): Runner {
  const folder = mkdtempSync(path.join(tmpdir(), 'clang-kernel-'));
  try {
    const output = path.join(folder, 'pair.wasm');
    const source = projectFile('bench/clang/pair.c');
    execFileSync(COMPILER, [...FLAGS, ...FORMS[name], '-o', output, source], { stdio: 'inherit' });
    const module = new WebAssembly.Module(readFileSync(output));
    const exports = new WebAssembly.Instance(module).exports as unknown as ClangExports;
    new Uint8Array(exports.memory.buffer, exports.parameters(), parameters.length).set(parameters);
    return {
      name: `clang, ${name}`,
      run: () => exports.runLoans(plan.seed, 0, PACKETS, steps, topUpSteps),
      results: () => new Uint8Array(exports.memory.buffer, exports.results(), resultBytes).slice(),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const own = assemblyScript();
const runners: readonly Runner[] = [
  own,
  ...Object.keys(FORMS).map(form => clang(form as keyof typeof FORMS, own.parameters)),
];
for (const { run } of runners) run();
const expected = Buffer.from(own.results());
const differing = runners.filter(({ results }) => !expected.equals(results())).map(({ name }) => name);
if (differing.length > 0 || !expected.some(byte => byte !== 0))
  throw new Error(`The results are not the engine's: ${differing.join(', ') || 'nothing was computed'}.`);

const times = new Map<Runner, number[]>(runners.map(runner => [runner, []]));
for (let round = 0; round < rounds; round++) {
  for (const [runner, list] of times) {
    const begin = performance.now();
    runner.run();
    list.push(performance.now() - begin);
  }
}
const pathSteps = LANES * PACKETS * steps;
const base = times.get(own) ?? [];
report(
  'clang-kernel',
  `node build/bench/clang-kernel.js ${rounds}`,
  {
    compiler: execFileSync(COMPILER, ['--version'], { encoding: 'utf8' }).split('\n')[0],
    flags: FLAGS,
    rounds,
    rows: [...times].map(([{ name }, list]) => ({
      name,
      pathStepsPerSecond: Math.round((1000 * pathSteps) / quantileOf(list, 0.5)),
      timesAssemblyScript: quantileOf(
        list.map((time, round) => base[round] / time),
        0.5,
      ),
    })),
  },
  { 'the results are the same bytes': true },
);
