/**
 * What Mesa's driver for AMD GPUs makes of the kernels, without a GPU: RADV compiles for the family that RADV_FORCE_FAMILY names, and
 * RADV_DEBUG=shaderstats prints the figures of its compiler.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../project.ts';

const MANIFESTS = '/usr/share/vulkan/icd.d';

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

/** The path of the driver. @throws Error that says what to install */
function driverPath(): string {
  const manifest = existsSync(MANIFESTS)
    ? readdirSync(MANIFESTS).find(name => /^radeon_icd.*\.json$/.test(name))
    : undefined;
  if (manifest === undefined)
    throw new Error(`There is no RADV in ${MANIFESTS}: install mesa-vulkan-drivers (Debian, Ubuntu).`);
  const { ICD } = JSON.parse(readFileSync(join(MANIFESTS, manifest), 'utf8')) as {
    readonly ICD: { readonly library_path: string };
  };
  return ICD.library_path;
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
export function compileForAmd(family: string, chosen: object, folder: string): CompiledAll {
  const inherited = process.env.LD_LIBRARY_PATH;
  const loader = buildLoader(folder);
  const child = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('compile.js', import.meta.url)), JSON.stringify(chosen)],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      env: {
        ...process.env,
        SHADERS_DRIVER: driverPath(),
        LD_LIBRARY_PATH: inherited ? `${loader}:${inherited}` : loader,
        RADV_FORCE_FAMILY: family,
        RADV_DEBUG: 'shaderstats,nocache',
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
  };
}
