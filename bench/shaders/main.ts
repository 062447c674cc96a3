/**
 * What compilers for real GPUs make of the kernels, on a machine without one: registers, memory outside registers, occupancy, code.
 *
 *   npm run bench:shaders -- [--only NAME ...] [--family NAME] [--nvcc COMMAND] [--write]
 *
 * Two compilers: Mesa's for AMD GPUs (RADV of scripts/mesa.mjs, without hardware: needs apt and a C compiler) and NVIDIA's assembler for
 * sm_90 (needs nvcc, spirv-tools and spirv-cross), which compiles the kernels of the usual table. Without it rows of sm_90 stay, and say so
 * where their shader has changed. `--write` compiles every kernel, and renews bench/shaders/machine-code.json and docs/performance.md.
 * Estimates of compilers: nothing runs.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFile } from '../project.ts';
import { type CudaFigures, compileCuda, compileForCuda, cudaVersion } from './cuda.ts';
import type { Loop } from './machine-code.ts';
import { compileForAmd } from './radv.ts';
import {
  amdRow,
  cudaRow,
  digestOf,
  machineCodeTable,
  type RecordedKernel,
  readRecorded,
  textDigest,
  withMachineCode,
  writeRecorded,
} from './recorded.ts';
import { chosenVariants, isUsual, nameOf } from './variants.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    family: { type: 'string', default: 'NAVI21' },
    nvcc: { type: 'string', default: 'nvcc' },
    write: { type: 'boolean', default: false },
  },
});

const GROUP = 4;
const W1_GROUP = 128;
/** How often a warp runs the stretches of the loop of W1, in their order. */
const W1_SHARES = {
  // Once in a block of 96 steps.
  seeding: GROUP / 96,
  // Where one of 128 words is large.
  'small radii': 1 - (1 - 2 ** -12) ** 128,
  // Where the group is the last one. The program by hand has terms of whole groups only.
  'last group': GROUP / 720,
  // Counted over the warps of a run.
  'states of the loan': 0.16,
};
type W1Part = keyof typeof W1_SHARES;
const W1_PARTS = Object.keys(W1_SHARES) as W1Part[];
const W1 = 'loan gbm log-ratio';
/** Instructions that an H100 issues in a second for single threads: multiprocessors, clock, lanes (NVIDIA H100 data sheet and white paper). */
const H100_INSTRUCTIONS = 132 * 1.98e9 * 128;

/** Instructions that a path-step of W1 issues; undefined where the loop has other stretches than `parts`. */
function issuedByW1({ always, stretches }: Loop, parts: readonly W1Part[]): number | undefined {
  if (stretches.length !== parts.length) return undefined;
  return parts.reduce((sum, part, i) => sum + stretches[i] * W1_SHARES[part], always) / GROUP;
}

/** The compiler for sm_90, or undefined with a word on what is missing. */
function findCuda(): string | undefined {
  try {
    return cudaVersion(options.nvcc);
  } catch (error) {
    say(`no figures of sm_90: ${(error as Error).message}`);
    return undefined;
  }
}

/** The instructions of W1: of its kernel, and of the same by hand in CUDA. */
function sayW1(ofKernel: CudaFigures | undefined, folder: string): string[] {
  const source = projectFile('bench/peers/w1_shader.cu');
  const byHand = compileCuda(options.nvcc, source, join(folder, 'w1.cubin'), [], W1_GROUP);
  const found: (readonly [string, CudaFigures | undefined, readonly W1Part[]])[] = [
    ['the kernel of W1', ofKernel, W1_PARTS],
    ...[...byHand].map(([name, figures]) => {
      const draws = name.includes('ILb1E') ? 'projected pair' : 'both normals';
      const parts = W1_PARTS.filter(part => part !== 'last group');
      return [`bench/peers/w1_shader.cu, ${draws}`, figures, parts] as const;
    }),
  ];
  return found.flatMap(([name, figures, parts]) => {
    if (figures?.loop === undefined) return [];
    const { always, stretches } = figures.loop;
    const issued = issuedByW1(figures.loop, parts);
    if (issued === undefined)
      return [`${name}: stretches of ${stretches.join(', ')}; read the machine code again`];
    const sizes = parts.map((part, i) => `${part} ${stretches[i]}`).join(', ');
    const bound = (H100_INSTRUCTIONS / issued).toExponential(1);
    return [
      `${name}: ${issued.toFixed(1)} issued per path-step (a group of four: always ${always}, ${sizes}); bound of an H100 ${bound} path-steps/s`,
    ];
  });
}

const folder = mkdtempSync(join(tmpdir(), 'shaders-'));
try {
  const all = options.write;
  const recorded = readRecorded();
  const cuda = findCuda();
  const compiled = await compileForAmd(options.family, { all, only: options.only }, folder);
  const kernels: Record<string, RecordedKernel> = {};
  let ofW1: CudaFigures | undefined;
  for (const [number, variant] of chosenVariants(all, options.only).entries()) {
    const name = nameOf(variant);
    const amd = compiled.kernels.get(number);
    if (amd === undefined) throw new Error(`RADV compiled no ${name}.`);
    const shader = digestOf(amd.spirv);
    let ofCuda = recorded.kernels[name]?.sm_90;
    if (cuda !== undefined && isUsual(name)) {
      say(name);
      const figures = compileForCuda(options.nvcc, amd.spirv, amd.workgroup, folder, `kernel-${number}`);
      if (variant.kernel.name === W1) ofW1 = figures;
      ofCuda = cudaRow(figures, shader);
    }
    const text = await textDigest(variant);
    kernels[name] = { text, shader, amd: amdRow(amd.figures), ...(ofCuda && { sm_90: ofCuda }) };
  }
  const compilers = {
    amd: compiled.device,
    sm_90: cuda === undefined ? recorded.compilers.sm_90 : `nvcc ${cuda}`,
  };
  const found = { compilers, kernels };
  process.stdout.write(`${machineCodeTable(found)}\n`);
  if (cuda !== undefined) for (const line of sayW1(ofW1, folder)) process.stdout.write(`${line}\n`);
  if (options.write) {
    if (options.only.length > 0) throw new Error('--write takes every kernel: leave out --only.');
    writeRecorded(found);
    const document = projectFile('docs/performance.md');
    writeFileSync(document, withMachineCode(readFileSync(document, 'utf8'), found));
  }
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
