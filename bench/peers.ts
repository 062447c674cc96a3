/**
 * The peers: the same work in other tools, built and run where they are installed.
 *
 * Takes: the folder with their programs. Gives: a table of how each is built and run, and what each says, as rows.
 * Every program prints lines of JSON with its rate and its answer; see the README of that folder.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { planText } from './plan-text.ts';
import { planNamed } from './plans.ts';
import { projectFile } from './project.ts';

/** Work that peers do. */
export type PeerWork = 'w1' | 'loan-five-assets';

/** What a rate is taken over: the device's work alone, or everything from call to answer. */
export type Clock = 'kernel' | 'run';

/** A program of others, or one that stands for what others would write. */
export interface Peer {
  readonly name: string;
  readonly work: PeerWork;
  /** Where it computes: a processor's rate is per thread. */
  readonly on: 'cpu' | 'gpu';
  /** Of its own rate; `run` unless given. */
  readonly clock?: Clock;
  /** What must be there before anything is built; the first that is not is reported as missing. */
  readonly needs: readonly Need[];
  /** Compiles the program. */
  readonly build?: readonly string[];
  readonly run: readonly string[];
  /** Standard input of the run. */
  readonly input?: string;
  /** Compiles for minutes and repeats its work itself: one round is enough. */
  readonly slow?: boolean;
}

/** Something a peer cannot do without: its name, and a command that succeeds where it is there. */
interface Need {
  readonly what: string;
  readonly command: readonly string[];
}

/** One line that a peer printed. */
export interface PeerLine {
  readonly impl: string;
  readonly threads?: number;
  readonly P: number;
  /** Path-steps per second. */
  readonly pss: number;
  readonly paths_pooled?: number;
  readonly p13?: number;
  readonly p11?: number;
  readonly p10?: number;
  readonly figures?: Readonly<Record<string, number>>;
}

const SECONDS_PER_PROGRAM = 300;

/** Every peer there is, installed or not. */
export function peersIn(folder: string, python: string, quick: boolean): readonly Peer[] {
  const source = (file: string) => join(folder, file);
  const built = (file: string) => projectFile(`build/peers/${file}`);
  mkdirSync(projectFile('build/peers'), { recursive: true });
  const paths = String(quick ? 10_000 : 100_000);
  const reps = quick ? '2' : '5';
  const gpp = ['g++', '-std=c++17', '-O3', '-march=native'];
  const has = (command: string): Need => ({ what: command, command: [command, '--version'] });
  const imports = (module: string): Need => ({
    what: `the Python module ${module}`,
    command: [python, '-c', `import ${module}`],
  });
  const nvidia: Need = { what: 'an NVIDIA GPU', command: ['nvidia-smi', '-L'] };
  const numpy = { on: 'cpu', needs: [imports('numpy')] } as const;
  const cpp = (mode: string, name: string): Peer => ({
    name,
    work: 'w1',
    on: 'cpu',
    needs: [has('g++')],
    build: [...gpp, '-o', built('w1'), source('w1.cpp'), '-pthread'],
    run: [built('w1'), mode, paths, '1', reps],
  });
  const fast = (mode: string, name: string): Peer => ({
    ...cpp(mode, name),
    build: [
      ...[...gpp, '-ffast-math', '-mprefer-vector-width=512'],
      ...['-o', built('w1-fast'), source('w1.cpp'), '-pthread'],
    ],
    run: [built('w1-fast'), mode, paths, '1', reps],
  });
  const simd = (mode: string, name: string, flags: readonly string[] = []): Peer => {
    const program = built(`w1-simd${flags.join('')}`);
    return {
      name,
      work: 'w1',
      on: 'cpu',
      needs: [has('clang++-16')],
      build: [
        ...['clang++-16', '-std=c++17', '-O3', '-march=native', '-ffp-contract=fast', '-DVB=64', ...flags],
        ...['-o', program, source('w1_simd.cpp'), '-pthread'],
      ],
      run: [program, mode, paths, '1', reps],
    };
  };
  const quantLib = (mode: string, name: string): Peer => ({
    name,
    work: 'w1',
    on: 'cpu',
    needs: [has('g++'), { what: 'QuantLib', command: ['test', '-e', '/usr/include/ql/quantlib.hpp'] }],
    build: [...gpp, '-o', built('w1-quantlib'), source('w1_quantlib.cpp'), '-lQuantLib'],
    run: [built('w1-quantlib'), mode, quick ? '2000' : '10000', '1', reps],
  });
  const onGpu = (file: string, name: string, module: string, probe: string): Peer => ({
    name,
    work: 'w1',
    on: 'gpu',
    needs: [imports(module), { what: `a GPU for ${name}`, command: [python, '-c', probe] }],
    run: [python, source(file), ...(quick ? ['100000'] : ['1000000', '16000000'])],
    slow: true,
  });
  const compiler = has('nvcc');
  const isCompilerHere = succeeds(compiler.command);
  const cuda = (name: string, program: string, file: string): Peer => {
    // The bundle may bring the program, for a host without the compiler (scripts/make-gpu-bundle.mjs).
    const brought = projectFile(`build/cuda/${program}`);
    const isBrought = !isCompilerHere && existsSync(brought);
    return {
      name,
      work: 'w1',
      on: 'gpu',
      // CUDA events around the kernel.
      clock: 'kernel',
      needs: isBrought ? [nvidia] : [compiler, nvidia],
      ...(isBrought
        ? { run: [brought] }
        : {
            build: [
              'nvcc',
              '-O3',
              '-use_fast_math',
              '-std=c++17',
              '-arch=native',
              '-o',
              built(program),
              file,
            ],
            run: [built(program)],
          }),
    };
  };
  return [
    {
      ...numpy,
      name: 'NumPy Generator, double',
      work: 'w1',
      run: [python, source('w1_numpy.py'), 'gen', paths, '1', reps, '10000'],
    },
    {
      ...numpy,
      name: 'NumPy Generator, single',
      work: 'w1',
      run: [python, source('w1_numpy.py'), 'gen32', paths, '1', reps, '10000'],
    },
    {
      name: 'Numba xoroshiro, double',
      work: 'w1',
      on: 'cpu',
      needs: [imports('numba')],
      run: [python, source('w1_numba.py'), 'xoroshiro', paths, '1', reps],
    },
    cpp('mt', 'C++ mt19937_64, normal_distribution, double'),
    cpp('zig', 'C++ xoshiro and ziggurat, scalar, double'),
    fast('bm64', 'C++ SIMD, libmvec, double'),
    fast('bm32', 'C++ SIMD, libmvec, single'),
    simd('f64', 'C++ AVX-512, double'),
    simd('f32', 'C++ AVX-512, single'),
    simd('f32', 'C++ AVX-512, Threefry-12, single', ['-DTF=12', '-DNV=2']),
    quantLib('bs', 'QuantLib, exact step'),
    quantLib('gbm', 'QuantLib, Euler'),
    cuda('CUDA', 'w1-cuda', source('w1.cu')),
    cuda('CUDA, the kernel of the shaders', 'w1-shader', projectFile('bench/peers/w1_shader.cu')),
    cuda('CUDA, Philox and cuRAND', 'w1-philox', projectFile('bench/peers/w1_philox.cu')),
    onGpu('w1_torch.py', 'PyTorch', 'torch', 'import torch; assert torch.cuda.is_available()'),
    onGpu('w1_jax.py', 'JAX', 'jax', 'import jax; assert jax.default_backend() == "gpu"'),
    {
      ...numpy,
      name: 'NumPy loan, double',
      work: 'loan-five-assets',
      run: [python, projectFile('bench/peers/loan_numpy.py'), quick ? '10000' : '40000', reps, '10000'],
      input: planText(planNamed('loan-five-assets').plan(1, 0)),
    },
  ];
}

/** What is missing for a peer; undefined where nothing is. */
export function missing({ needs }: Peer): string | undefined {
  return needs.find(({ command }) => !succeeds(command))?.what;
}

/** Compiles a peer where it must be. @throws Error with the compiler's words */
export function build({ build }: Peer): void {
  if (build === undefined) return;
  const [command, ...sent] = build;
  execFileSync(command, sent, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}

/** Runs a peer once; the lines it printed. @throws Error where it fails or prints none */
export async function run({ name, run, input }: Peer): Promise<readonly PeerLine[]> {
  const [command, ...sent] = run;
  const child = spawn(command, sent, {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: SECONDS_PER_PROGRAM * 1000,
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input ?? '');
  let text = '';
  child.stdout.on('data', chunk => {
    text += chunk;
  });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? `code ${code}`}.`);
  const lines = text.split('\n').filter(line => line.startsWith('{'));
  if (lines.length === 0) throw new Error(`${name} printed no result.`);
  return lines.map(line => JSON.parse(line) as PeerLine);
}

function succeeds([command, ...sent]: readonly string[]): boolean {
  try {
    execFileSync(command, sent, { stdio: 'ignore', timeout: 60_000 });
    return true;
  } catch {
    return false;
  }
}
