/**
 * The machine code of every kernel as a file of the project records it (bench/shaders/machine-code.json): a test compares what the compiler
 * for AMD makes of them now. Rows of sm_90 need NVIDIA's compiler, so they name the shader they were made from.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readShader } from '#src/engine/gpu-process/read-shader.js';
import { projectFile } from '../project.ts';
import { count, table } from '../table.ts';
import type { CudaFigures } from './cuda.ts';
import type { RadvFigures } from './radv.ts';
import { isUsual, type Variant } from './variants.ts';

/** The version of the package that brings Dawn. */
const DAWN: string = JSON.parse(
  readFileSync(projectFile('node_modules/webgpu/package.json'), 'utf8'),
).version;

/** Figures of AMD in which more is worse; waves are the other way round. */
const COSTS = [
  'vectorRegisters',
  'spilled',
  'scratchBytes',
  'workgroupBytes',
  'instructions',
  'loopInstructions',
  'deviceAtomics',
] as const;
type AmdRow = Readonly<Record<(typeof COSTS)[number] | 'waves', number>>;

interface CudaRow extends Pick<CudaFigures, 'registers' | 'localBytes' | 'workgroupBytes' | 'warps'> {
  readonly codeBytes: number;
  readonly loop?: number;
  readonly always?: number;
  /** Digest of the SPIR-V that was compiled. */
  readonly shader: string;
}

export interface RecordedKernel {
  /** Digest of what the kernel is made from (`textDigest`): one of the same text is compiled to the same code. */
  readonly text: string;
  /** Digest of the SPIR-V of the kernel. */
  readonly shader: string;
  readonly amd: AmdRow;
  readonly sm_90?: CudaRow | undefined;
}

export interface MachineCode {
  /** The driver that compiled for AMD, and NVIDIA's compiler. */
  readonly compilers: { readonly amd: string; readonly sm_90: string };
  /** By name and number of assets. */
  readonly kernels: Readonly<Record<string, RecordedKernel>>;
}

export const RECORDED = projectFile('bench/shaders/machine-code.json');

export const readRecorded = (): MachineCode => JSON.parse(readFileSync(RECORDED, 'utf8'));

export const writeRecorded = (recorded: MachineCode): void =>
  writeFileSync(RECORDED, `${JSON.stringify(recorded, undefined, 2)}\n`);

export const digestOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Digest of all that the host says of a kernel, its WGSL, and the version of Dawn, which makes SPIR-V of them. */
export async function textDigest({ kernel, assets }: Variant): Promise<string> {
  const files = await Promise.all(kernel.files.map(readShader));
  return digestOf(JSON.stringify([DAWN, kernel, assets, files]));
}

export const amdRow = (figures: RadvFigures): AmdRow => {
  const { vectorRegisters, spilled, scratchBytes, workgroupBytes, waves } = figures;
  const { instructions, loopInstructions, deviceAtomics } = figures;
  return {
    ...{ vectorRegisters, spilled, scratchBytes, workgroupBytes, waves },
    ...{ instructions, loopInstructions, deviceAtomics },
  };
};

export const cudaRow = (figures: CudaFigures, shader: string): CudaRow => {
  const { registers, localBytes, workgroupBytes, warps, codeBytes, loop } = figures;
  return {
    ...{ registers, localBytes, workgroupBytes, warps, codeBytes },
    ...(loop && { loop: loop.instructions, always: loop.always }),
    shader,
  };
};

/** What is worse than recorded, a line for each kernel; a kernel that is not recorded is one of them. */
export function worseKernels(
  recorded: MachineCode['kernels'],
  found: ReadonlyMap<string, AmdRow>,
): readonly string[] {
  return [...found].flatMap(([name, now]) => {
    const before = recorded[name]?.amd;
    if (before === undefined) return [`${name}: not recorded`];
    const worse = [
      ...COSTS.filter(figure => now[figure] > before[figure]),
      ...(now.waves < before.waves ? (['waves'] as const) : []),
    ];
    return worse.length === 0
      ? []
      : [`${name}: ${worse.map(figure => `${figure} ${before[figure]} -> ${now[figure]}`).join(', ')}`];
  });
}

const HEAD = [
  ...['kernel', 'AMD: registers', 'scratch B', 'LDS B', 'waves', 'loop'],
  ...['sm_90: registers', 'local B', 'shared B', 'warps', 'code KiB', 'loop', 'always'],
];

function cells([name, { shader, amd, sm_90 }]: readonly [string, RecordedKernel]): string[] {
  const registers = String(amd.vectorRegisters);
  return [
    name,
    amd.spilled === 0 ? registers : `${registers}, ${amd.spilled} spilled`,
    ...[amd.scratchBytes, amd.workgroupBytes, amd.waves, amd.loopInstructions].map(count),
    ...(sm_90 === undefined
      ? []
      : [
          sm_90.shader === shader ? String(sm_90.registers) : `${sm_90.registers}, stale`,
          ...[sm_90.localBytes, sm_90.workgroupBytes, sm_90.warps].map(count),
          (sm_90.codeBytes / 1024).toFixed(1),
          ...[sm_90.loop, sm_90.always].map(figure => (figure === undefined ? '' : count(figure))),
        ]),
  ];
}

/** The usual kernels as Markdown. A stale row was compiled from an earlier text of its shader. */
export function machineCodeTable({ compilers, kernels }: MachineCode): string {
  const rows = Object.entries(kernels).filter(([name]) => isUsual(name));
  return `*AMD: ${compilers.amd}; sm_90: ${compilers.sm_90}*\n\n${table(HEAD, rows.map(cells))}`;
}

const PLACE = /(<!-- shaders -->\n)[\s\S]*?(\n<!-- \/shaders -->)/;

/** docs/performance.md with the table of what is recorded. @throws Error where it has no place for it */
export function withMachineCode(text: string, recorded: MachineCode): string {
  if (!PLACE.test(text)) throw new Error('The document has no place <!-- shaders -->.');
  return text.replace(PLACE, (_, begin, end) => `${begin}${machineCodeTable(recorded)}${end}`);
}
