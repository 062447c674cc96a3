/**
 * What NVIDIA's assembler makes of the kernels, without a GPU: the SPIR-V of Dawn becomes Metal text (SPIRV-Cross), which is C++, and nvcc
 * compiles it with bench/shaders/metal.cuh. The driver of a GPU has a front end of its own: figures are near its own, not equal.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFile } from '../project.ts';
import { INSTRUCTION_BYTES, kernelsOf, type Loop, longestLoop } from './machine-code.ts';

const ARCHITECTURE = 'sm_90';
export const NVCC_FLAGS = ['-O3', '-use_fast_math', '-std=c++17', `-arch=${ARCHITECTURE}`];
/** Of a multiprocessor of sm_90 (CUDA C++ Programming Guide, "Compute Capabilities"). */
const PROCESSOR = { warps: 64, blocks: 32, registers: 65_536, workgroupBytes: 233_472, reservedBytes: 1024 };
const WARP = 32;
const REGISTERS_PER_UNIT = 256;

/** Figures of a kernel; bytes of local memory are those of a thread. */
export interface CudaFigures {
  readonly registers: number;
  readonly localBytes: number;
  readonly spilledBytes: number;
  readonly workgroupBytes: number;
  /** Warps of a multiprocessor, at most 64. */
  readonly warps: number;
  readonly codeBytes: number;
  readonly loop: Loop | undefined;
}

/** Runs a tool. @throws Error with what is missing or what it said */
function run(command: string, args: readonly string[], missing: string): string {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw new Error(`${command} is not here: ${missing}.`);
  if (status !== 0) throw new Error(`${command}: ${(stderr || stdout).slice(0, 2000)}`);
  return stdout + stderr;
}

/** The version of the compiler. @throws Error where a tool is missing */
export function cudaVersion(nvcc: string): string {
  run('spirv-as', ['--version'], 'install spirv-tools');
  run('spirv-cross', ['--help'], 'install spirv-cross');
  const text = run(nvcc, ['--version'], 'install the CUDA toolkit, or name its nvcc with --nvcc');
  return /release [\d.]+, V([\d.]+)/.exec(text)?.[1] ?? text.trim();
}

/** A promise on subgroups, which no kernel uses, that SPIRV-Tools before 2024 do not know. */
const NEWER_THAN_TOOLS = /^.*(MaximallyReconvergesKHR|SPV_KHR_maximal_reconvergence).*\n/gm;

/** Compiles a kernel from SPIR-V in text. @param name of files in `folder` */
export function compileForCuda(
  nvcc: string,
  spirv: string,
  workgroup: number,
  folder: string,
  name: string,
): CudaFigures {
  const file = (ending: string) => join(folder, `${name}.${ending}`);
  writeFileSync(file('spvasm'), spirv.replace(NEWER_THAN_TOOLS, ''));
  run('spirv-as', ['--target-env', 'vulkan1.2', file('spvasm'), '-o', file('spv')], 'install spirv-tools');
  run('spirv-cross', [file('spv'), '--msl', '--output', file('msl')], 'install spirv-cross');
  writeFileSync(file('cu'), cudaOf(readFileSync(file('msl'), 'utf8'), workgroup));
  const include = dirname(projectFile('bench/shaders/metal.cuh'));
  const [figures] = compileCuda(nvcc, file('cu'), file('cubin'), ['-I', include], workgroup).values();
  return figures;
}

/** Compiles a CUDA file. @returns figures by the name of the kernel */
export function compileCuda(
  nvcc: string,
  source: string,
  cubin: string,
  flags: readonly string[],
  workgroup: number,
): ReadonlyMap<string, CudaFigures> {
  const said = run(
    nvcc,
    [...NVCC_FLAGS, ...flags, '-Xptxas', '-v', '-cubin', '-o', cubin, source],
    'install the CUDA toolkit',
  );
  const kernels = kernelsOf(readFileSync(cubin));
  return new Map(
    [...kernels].map(([name, words]) => {
      const about = said.slice(said.indexOf(`properties for ${name}`));
      const figure = (pattern: RegExp) => Number(pattern.exec(about)?.[1] ?? 0);
      const registers = figure(/Used (\d+) registers/);
      // The next kernel begins with its own line of properties.
      const own = about.slice(0, about.indexOf('Compile time'));
      const workgroupBytes = Number(/(\d+) bytes smem/.exec(own)?.[1] ?? 0);
      return [
        name,
        {
          registers,
          localBytes: figure(/(\d+) bytes stack frame/),
          spilledBytes: figure(/(\d+) bytes spill stores/),
          workgroupBytes,
          warps: residentWarps(registers, workgroupBytes, workgroup),
          codeBytes: INSTRUCTION_BYTES * words.length,
          loop: longestLoop(words),
        },
      ];
    }),
  );
}

/** Warps of workgroups that a multiprocessor holds at once. */
export function residentWarps(registers: number, workgroupBytes: number, workgroup: number): number {
  const warps = Math.ceil(workgroup / WARP);
  const unit = Math.ceil((registers * WARP) / REGISTERS_PER_UNIT) * REGISTERS_PER_UNIT;
  const blocks = Math.min(
    PROCESSOR.blocks,
    Math.floor(PROCESSOR.warps / warps),
    Math.floor(PROCESSOR.registers / (unit * warps)),
    Math.floor(PROCESSOR.workgroupBytes / (workgroupBytes + PROCESSOR.reservedBytes)),
  );
  return blocks * warps;
}

/** Functions of Metal that CUDA has under the same name with other types. */
const FUNCTIONS =
  /(?<![\w.])(log2|exp2|sqrt|floor|rint|abs|sign|trunc|rsqrt|fmin|fmax|min|max|fma|select|all|any|clamp|extract_bits|atomic_\w+)\(/g;

/** CUDA from the Metal text of SPIRV-Cross. */
function cudaOf(metal: string, workgroup: number): string {
  const text = metal
    .replace(/template<typename T, size_t Num>\nstruct spvUnsafeArray\n\{[\s\S]*?\n\};\n/, '')
    .replace(/^(#pragma|#include|using namespace metal;).*\n/gm, '')
    .replace(/^constant /gm, '__device__ const ')
    .replaceAll('static inline __attribute__((always_inline))', '__device__ __forceinline__')
    .replace(/\b(precise|fast)::/g, '')
    .replace(/\((?:device|threadgroup) atomic_(uint|int)\*\)&/g, '($1*)&')
    .replace(/atomic_(fetch_\w+|load|store)_explicit\(/g, 'atomic_$1(')
    .replaceAll(', memory_order_relaxed', '')
    .replace(/threadgroup_barrier\(.*?\)/g, '__syncthreads()')
    .replace(FUNCTIONS, 'metal::$1(')
    .replace(/(?<![\w.])(\d+\.\d+(?:e[+-]?\d+)?)(?![\w.])/g, '$1f')
    .replace(/\.([xyzw]{2,4})\b/g, (_, places: string) => {
      const indices = [...places].map(place => 'xyzw'.indexOf(place));
      return `.swizzle${places.length}<${indices.join(',')}>()`;
    });
  const entry = /kernel void dawn_entry_point\(([\s\S]*?)\)\n\{([\s\S]*)\}\s*$/.exec(text);
  if (entry === null) throw new Error('SPIRV-Cross wrote no entry point.');
  const [, parameters, body] = entry;
  const sent: string[] = [];
  const begin: string[] = [];
  for (const parameter of parameters.split(/,(?![^[]*\])/)) {
    const [declared, attribute] = parameter.split('[[').map(part => part.trim());
    const buffer = /^(?:const )?(constant|device) (?:const )?(\w+)&\s*(\w+)$/.exec(declared);
    if (buffer === null) {
      begin.push(builtIn(attribute.replace(']]', ''), declared.split(' ').at(-1)!));
      continue;
    }
    const [, space, type, name] = buffer;
    // A uniform buffer lies in the bank of constants, as under a driver.
    if (space === 'constant') sent.push(`const __grid_constant__ ${type} ${name}`);
    else {
      sent.push(`${type}* __restrict__ ${name}_at`);
      begin.push(`${type}& ${name} = *${name}_at;`);
    }
  }
  const shared = [...body.matchAll(/^\s*threadgroup (.*;)$/gm)].map(
    ([, declaration]) => `__shared__ ${declaration}`,
  );
  const functions = text
    .slice(0, entry.index)
    .replace(/\b(thread|device|threadgroup) /g, '')
    .replace(/\bconstant (\w+)&/g, 'const $1&');
  const first = functions.indexOf('__device__ __forceinline__');
  return [
    '#include "metal.cuh"',
    functions.slice(0, first),
    ...shared,
    functions.slice(first),
    `extern "C" __global__ void __launch_bounds__(${workgroup}) kernel_entry(${sent.join(', ')})\n{`,
    ...begin,
    body.replace(/^\s*threadgroup .*;$/gm, ''),
    '}',
  ].join('\n');
}

const BUILT_INS: Readonly<Record<string, (name: string) => string>> = {
  thread_position_in_grid: name => `uint3 ${name}(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y, 0);`,
  thread_index_in_threadgroup: name => `uint ${name} = threadIdx.x;`,
  threadgroup_position_in_grid: name => `uint3 ${name}(blockIdx.x, blockIdx.y, 0);`,
};

function builtIn(attribute: string, name: string): string {
  const declare = BUILT_INS[attribute];
  if (declare === undefined) throw new Error(`The built-in value ${attribute} has no place in CUDA here.`);
  return declare(name);
}
