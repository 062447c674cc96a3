/**
 * What Mesa's driver for AMD GPUs makes of the kernels, without a GPU: RADV compiles for the family that RADV_FORCE_FAMILY names, and
 * RADV_DEBUG prints the figures and the code of its compiler. The driver is that of scripts/mesa.mjs, so that figures can be compared.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile } from '../project.ts';

/** Figures of a compute shader; bytes of scratch memory are those of a wave. */
export interface RadvFigures {
  readonly vectorRegisters: number;
  readonly spilled: number;
  readonly scratchBytes: number;
  readonly workgroupBytes: number;
  readonly waves: number;
  readonly codeBytes: number;
  readonly instructions: number;
  readonly latency: number;
  readonly inverseThroughput: number;
  /** Of the longest loop. */
  readonly loopInstructions: number;
  /** Atomic instructions on memory of the device. */
  readonly deviceAtomics: number;
}

/** A compiled variant, by its number: the workgroup, the SPIR-V that Dawn made, and the figures of the driver. */
export interface Compiled {
  readonly workgroup: number;
  readonly spirv: string;
  readonly figures: RadvFigures;
}

export interface CompiledAll {
  /** The driver as Dawn describes it. */
  readonly device: string;
  readonly kernels: ReadonlyMap<number, Compiled>;
}

/** The folder of the drivers, unpacked where it is not there. @throws Error where packages of Debian cannot be had */
async function driverFolder(): Promise<string> {
  const { mesaDrivers } = await import(projectFile('scripts/mesa.mjs'));
  return mesaDrivers().libraries;
}

/** Builds the loader in the place of libvulkan.so.1. @returns its folder */
function buildLoader(folder: string): string {
  const loader = join(folder, 'loader');
  mkdirSync(loader);
  try {
    execFileSync(
      'cc',
      [
        '-shared',
        '-fPIC',
        '-O1',
        '-o',
        join(loader, 'libvulkan.so.1'),
        projectFile('bench/shaders/no-hardware.c'),
      ],
      { stdio: 'pipe' },
    );
  } catch (cause) {
    throw new Error('The loader for a driver without hardware was not built: install a C compiler (cc).', {
      cause,
    });
  }
  return loader;
}

/**
 * Compiles kernels for a family of AMD GPUs.
 *
 * @param family as RADV spells it, such as NAVI21
 * @throws Error that says what is missing, or what the driver said
 */
export async function compileForAmd(family: string, chosen: object, folder: string): Promise<CompiledAll> {
  const drivers = await driverFolder();
  const inherited = process.env.LD_LIBRARY_PATH;
  const loader = buildLoader(folder);
  const child = spawnSync(
    process.execPath,
    [projectFile('build/bench/shaders/compile.js'), JSON.stringify(chosen)],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      env: {
        ...process.env,
        SHADERS_DRIVER: join(drivers, 'libvulkan_radeon.so'),
        LD_LIBRARY_PATH: [loader, drivers, ...(inherited ? [inherited] : [])].join(':'),
        RADV_FORCE_FAMILY: family,
        RADV_DEBUG: 'shaderstats,nocache,asm',
      },
    },
  );
  const device = /^@@ device (.*)$/m.exec(child.stderr)?.[1];
  if (child.status !== 0 || device === undefined)
    throw new Error(`RADV ${family}: ${child.stderr.slice(-2000)}`);
  const spirv = sections(child.stdout);
  const kernels = [...sections(child.stderr)].map(([number, { workgroup, text }]): [number, Compiled] => [
    number,
    { workgroup, spirv: disassembly(spirv.get(number)?.text ?? ''), figures: figuresOf(text) },
  ]);
  return { device, kernels: new Map(kernels) };
}

/** The output of each variant by its number. */
function sections(
  output: string,
): ReadonlyMap<number, { readonly workgroup: number; readonly text: string }> {
  const found = output.matchAll(/\n@@ (\d+) (\d+)\n([\s\S]*?)(?=\n@@ |$(?![\s\S]))/g);
  return new Map(
    [...found].map(([, number, workgroup, text]) => [Number(number), { workgroup: Number(workgroup), text }]),
  );
}

const disassembly = (text: string): string =>
  /Dumped SPIRV disassembly \*\/\n([\s\S]*?)(?:\n\n|\ninfo:|$(?![\s\S]))/.exec(text)?.[1] ?? '';

/** Those of workgroup memory are ds_add and the like. */
const DEVICE_ATOMIC = /^\t(?:global|buffer|flat)_atomic_/gm;

function figuresOf(text: string): RadvFigures {
  const figure = (name: string): number => {
    const found = new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1];
    if (found === undefined) throw new Error(`RADV printed no "${name}":\n${text}`);
    return Number(found);
  };
  return {
    vectorRegisters: figure('VGPRs'),
    spilled: figure('Spilled VGPRs') + figure('Spilled SGPRs'),
    scratchBytes: figure('Scratch size'),
    workgroupBytes: figure('LDS size'),
    waves: figure('Subgroups per SIMD'),
    codeBytes: figure('Code size'),
    instructions: figure('Instructions'),
    latency: figure('Latency'),
    inverseThroughput: figure('Inverse Throughput'),
    loopInstructions: longestLoop(text),
    deviceAtomics: text.match(DEVICE_ATOMIC)?.length ?? 0,
  };
}

/** Instructions of the longest loop in the code that RADV prints: from a label to the last branch back to it. 0 without one. */
export function longestLoop(text: string): number {
  const labels = new Map<string, number>();
  let instructions = 0;
  let longest = 0;
  for (const line of text.split('\n')) {
    const label = /^(BB\d+):/.exec(line)?.[1];
    if (label !== undefined) labels.set(label, instructions);
    else if (line.startsWith('\t')) {
      instructions += 1;
      const target = labels.get(/^\ts_c?branch\w* (BB\d+)/.exec(line)?.[1] ?? '');
      if (target !== undefined) longest = Math.max(longest, instructions - target);
    }
  }
  return longest;
}
