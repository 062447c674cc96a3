/**
 * What compilers for real GPUs make of the kernels, on a machine without one: registers, memory outside registers, occupancy, code.
 *
 *   npm run bench:shaders -- [--only NAME ...] [--all] [--family NAME] [--nvcc COMMAND] [--write]
 *
 * Two compilers: Mesa's for AMD GPUs (RADV without hardware: needs mesa-vulkan-drivers and a C compiler) and NVIDIA's assembler for sm_90
 * (needs nvcc, spirv-tools and spirv-cross). What is missing is said, and its columns stay empty. `--all` has every kernel, once; `--write`
 * renews the table of docs/performance.md. Estimates of compilers: nothing runs.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectFile } from '../project.ts';
import { count, table } from '../table.ts';
import { type CudaFigures, compileCuda, compileForCuda, cudaVersion } from './cuda.ts';
import type { Loop } from './machine-code.ts';
import { type Compiled, compileForAmd } from './radv.ts';
import { chosenVariants, type Variant } from './variants.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
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

interface Row {
  readonly variant: Variant;
  readonly amd: Compiled;
  readonly cuda: CudaFigures | undefined;
}

const HEAD = [
  'kernel',
  'assets',
  'AMD: registers',
  'scratch B',
  'LDS B',
  'waves',
  'sm_90: registers',
  'local B',
  'shared B',
  'warps',
  'code KiB',
  'loop',
  'always',
];

function cells({ variant, amd, cuda }: Row): string[] {
  const { figures } = amd;
  return [
    variant.kernel.name,
    variant.assets === 0 ? '' : String(variant.assets),
    figures.spilled === 0
      ? String(figures.vectorRegisters)
      : `${figures.vectorRegisters}, ${figures.spilled} spilled`,
    count(figures.scratchBytes),
    count(figures.workgroupBytes),
    String(figures.waves),
    ...(cuda === undefined
      ? []
      : [
          String(cuda.registers),
          count(cuda.localBytes),
          count(cuda.workgroupBytes),
          String(cuda.warps),
          (cuda.codeBytes / 1024).toFixed(1),
          cuda.loop === undefined ? '' : count(cuda.loop.instructions),
          cuda.loop === undefined ? '' : count(cuda.loop.always),
        ]),
  ];
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

const BEGIN = '<!-- shaders -->';
const END = '<!-- /shaders -->';

function writeTable(text: string): void {
  const file = projectFile('docs/performance.md');
  const before = readFileSync(file, 'utf8');
  const [begin, end] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/performance.md has no place ${BEGIN}.`);
  writeFileSync(file, `${before.slice(0, begin + BEGIN.length)}\n${text}\n${before.slice(end)}`);
}

/** The instructions of W1: of its kernel, and of the same by hand in CUDA. */
function sayW1(rows: readonly Row[], folder: string): string[] {
  const source = projectFile('bench/peers/w1_shader.cu');
  const byHand = compileCuda(options.nvcc, source, join(folder, 'w1.cubin'), [], W1_GROUP);
  const ofKernel = rows.find(({ variant }) => variant.kernel.name === W1)?.cuda;
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
  const chosen = chosenVariants(options.all, options.only);
  const cuda = findCuda();
  const { device, kernels } = compileForAmd(options.family, { all: options.all, only: options.only }, folder);
  const rows: Row[] = [];
  for (const [number, variant] of chosen.entries()) {
    const amd = kernels.get(number);
    if (amd === undefined) throw new Error(`RADV compiled no ${variant.kernel.name}.`);
    const name = `kernel-${number}`;
    if (cuda !== undefined) say(`${variant.kernel.name}, ${variant.assets} assets`);
    const ofCuda =
      cuda === undefined ? undefined : compileForCuda(options.nvcc, amd.spirv, amd.workgroup, folder, name);
    rows.push({ variant, amd, cuda: ofCuda });
  }
  const compilers = `*AMD: ${device}${cuda === undefined ? '' : `; sm_90: nvcc ${cuda}`}*`;
  const text = `${compilers}\n\n${table(HEAD, rows.map(cells))}`;
  process.stdout.write(`${text}\n`);
  if (cuda !== undefined) for (const line of sayW1(rows, folder)) process.stdout.write(`${line}\n`);
  if (options.write) writeTable(text);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
