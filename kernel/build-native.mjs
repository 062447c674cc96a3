/**
 * Compiles the kernel of kernel/ for this processor's own vectors: AssemblyScript to WebAssembly of a width, that to C by wasm2c, that to
 * dist/engine/native/PLATFORM.node by the C compiler of the host (CC, else cc); the kernels of other processors by their compilers of
 * Debian, where these are installed, for a package. Without a compiler, or off Linux, it says so in a line, and WebAssembly serves.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from 'assemblyscript/asc';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'kernel');
const native = join(root, 'kernel/native');
const wasm2c = join(root, 'node_modules/wabt/bin/wasm2c');
const headers = join(root, 'node_modules/node-api-headers/include');
/** Compilers of other processors. */
const CROSS = { x64: 'x86_64-linux-gnu-gcc', arm64: 'aarch64-linux-gnu-gcc' };

/** The kernels of each processor, and the options that let the compiler use its instructions. */
const KERNELS = {
  x64: [
    { name: 'sse', lanes: 4, options: ['-msse4.1'] },
    { name: 'avx2', lanes: 8, options: ['-mavx2', '-mtune=haswell'] },
    {
      name: 'avx512',
      lanes: 16,
      options: ['-mavx512f', '-mavx512bw', '-mavx512dq', '-mavx512vl', '-mprefer-vector-width=512'],
    },
  ],
  arm64: [{ name: 'neon', lanes: 4, options: [] }],
};
/** Options of gcc that other compilers do not have: it then interleaves the chains of dependent instructions before it gives out registers. */
const SCHEDULING = ['-fschedule-insns', '-fsched-pressure'];
/** No operation is contracted or moved by the rules of mathematics: every width has the bits of WebAssembly. */
const OPTIONS = [
  '-std=gnu11',
  '-O3',
  '-fPIC',
  '-fvisibility=hidden',
  '-ffp-contract=off',
  '-fno-math-errno',
  '-fno-trapping-math',
  '-fno-strict-aliasing',
  '-fno-semantic-interposition',
  '-DNDEBUG',
  '-Wall',
  '-Werror=implicit-function-declaration',
  '-Wno-unused',
];

/** That of the host first: without its compiler no kernel is made. */
const processors =
  process.platform === 'linux'
    ? Object.keys(KERNELS).sort((a, b) => Number(b === process.arch) - Number(a === process.arch))
    : [];
if (!processors.includes(process.arch))
  console.log(`native kernel: not on ${process.platform}-${process.arch}; WebAssembly serves`);
/** The processor that is compiled for: its compiler, kernels, folder of work, and options that the compiler takes. */
let [cc, kernels, work, output, scheduling] = ['', [], '', '', []];
for (const processor of processors) {
  const isOwn = processor === process.arch;
  cc = isOwn ? (process.env.CC ?? 'cc') : CROSS[processor];
  kernels = KERNELS[processor];
  work = join(root, 'build/native', processor);
  output = join(root, `dist/engine/native/linux-${processor}.node`);
  rmSync(output, { force: true });
  if (hasCompiler()) await build();
  else if (isOwn) {
    console.log(`native kernel: no C compiler (${cc}); WebAssembly serves`);
    break;
  }
}

function hasCompiler() {
  const { status } = spawnSync(cc, ['--version'], { stdio: 'ignore' });
  return status === 0;
}

async function build() {
  try {
    mkdirSync(work, { recursive: true });
    scheduling = (await takes(SCHEDULING)) ? SCHEDULING : [];
    mkdirSync(dirname(output), { recursive: true });
    const objects = [compile(join(native, 'module.c'), [`-I${headers}`])];
    for (const kernel of kernels) {
      const file = join(work, `${kernel.name}.c`);
      writeFileSync(file, await kernelInC(kernel));
      objects.push(compile(file, [`-DLANES=${kernel.lanes}`, ...kernel.options]));
    }
    const list = join(work, 'kernels.c');
    writeFileSync(list, listInC());
    objects.push(compile(list, []));
    const library = join(work, 'kernels.node');
    await run(cc, ['-shared', '-pthread', '-o', library, ...(await Promise.all(objects)), '-lm']);
    renameSync(library, output);
  } catch (error) {
    // A compiler first names the function that it was in.
    const lines = error.message.split('\n');
    const why = lines.find(line => line.includes('error')) ?? lines[0];
    console.log(`native kernel: ${cc} failed, WebAssembly serves: ${why}`);
    if (process.env.NATIVE_REQUIRED) {
      console.error(error.message);
      process.exit(1);
    }
  }
}

/** Whether the compiler takes some options, without a warning. */
async function takes(options) {
  const probe = join(work, 'probe.c');
  writeFileSync(probe, 'int probe;\n');
  return run(cc, ['-Werror', ...options, '-c', '-o', `${probe}.o`, probe]).then(
    () => true,
    () => false,
  );
}

function run(command, args) {
  return new Promise((done, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', text => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', code =>
      code === 0 ? done() : reject(new Error(said || `${command} ended with ${code}`)),
    );
  });
}

/** Begins to compile a file. @returns its object file, once it is there */
function compile(file, options) {
  const object = join(work, `${file.slice(file.lastIndexOf('/') + 1)}.o`);
  const compiled = run(cc, [
    '-c',
    ...OPTIONS,
    ...scheduling,
    ...options,
    `-I${native}`,
    '-o',
    object,
    file,
  ]).then(() => object);
  // The caller awaits all of them; without a handler, an earlier rejection would end the process.
  compiled.catch(() => {});
  return compiled;
}

/** Compiles the kernel to WebAssembly of a width. Beyond four lanes no WebAssembly engine can run it: a v128 there is a wider vector. */
async function kernelInWasm(lanes, file) {
  if (lanes === 4) return join(root, 'dist/engine/wasm/kernel.wasm');
  const shift = Math.log2(lanes);
  let isWide = false;
  const { error } = await main(
    [
      '--config',
      join(source, 'asconfig.json'),
      '--target',
      'release',
      '--outFile',
      file,
      '--initialMemory',
      '32',
    ],
    {
      stderr: process.stderr,
      readFile(name, base) {
        const path = resolve(base, name);
        if (!existsSync(path)) return null;
        const text = readFileSync(path, 'utf8');
        if (path !== join(source, 'lanes.ts')) return text;
        const wide = text.replace('LANE_SHIFT: usize = 2;', `LANE_SHIFT: usize = ${shift};`);
        isWide = wide !== text;
        return wide;
      },
    },
  );
  if (error) throw error;
  if (!isWide) throw new Error('the compiler has not read kernel/lanes.ts');
  return file;
}

/** The kernel as C: what wasm2c makes of it without its own runtime (kernel/native/wasm-rt.h has that), and its exports in a table. */
async function kernelInC({ name, lanes }) {
  const wasm = await kernelInWasm(lanes, join(work, `${name}.wasm`));
  const made = join(work, `${name}-wasm2c.c`);
  await run(process.execPath, [wasm2c, '-n', name, wasm, '-o', made]);
  const code = readFileSync(made, 'utf8');
  const header = readFileSync(made.replace(/c$/, 'h'), 'utf8');
  const begin = code.indexOf('// clang-format on');
  if (begin < 0) throw new Error('the C of wasm2c has another form');
  const body = code
    .slice(begin)
    .replace(/^FUNC_TYPE_T\(.*\n/gm, '')
    .replace(/^wasm_rt_func_type_t wasm2c_[\s\S]*?^}\n/m, '')
    .replaceAll('&instance->w2c_memory', '&memory')
    // Not in a call: there the memory stands in the instance.
    .replace(
      /^(.*(?:init_memories|_memory|_free)\(w2c_\w+\* instance\) \{\n.*)&memory/gm,
      '$1&instance->w2c_memory',
    )
    .replace(/w2c_lanes_(\w+)\(instance->w2c_lanes_instance/g, 'lanes_$1(&memory');
  return `#include <assert.h>\n${header}\n${body}\n${exportsInC(name, lanes, header)}`;
}

/** The table of what a kernel exports, from its header. */
function exportsInC(name, lanes, header) {
  const functions = [
    ...header.matchAll(
      new RegExp(`^(void|u32) w2c_${name}_(\\w+)\\(w2c_${name}\\*((?:, [uf]\\d+)*)\\);`, 'gm'),
    ),
  ];
  const constants = [...header.matchAll(new RegExp(`^u32\\* w2c_${name}_(\\w+)\\(`, 'gm'))];
  const calls = functions.map(([, result, called, types]) => {
    const kinds = [...types.matchAll(/, ([uf]\d+)/g)].map(([, type]) =>
      type.startsWith('u') ? 'integer' : 'number',
    );
    const call = `w2c_${name}_${called}(${['instance', ...kinds.map((kind, i) => `arguments[${i}].${kind}`)].join(', ')})`;
    const signature = kinds.map(kind => (kind === 'integer' ? 'i' : 'f')).join('');
    return {
      code: `static uint32_t call_${called}(void* instance, const struct kernel_argument* arguments) {\n  ${
        result === 'void' ? `${call};\n  return 0;` : `return ${call};`
      }\n}`,
      row: `{"${called}", "${signature}", call_${called}},`,
    };
  });
  const imports = header.includes('struct w2c_lanes;') ? ', 0' : '';
  return `#include "kernel.h"
${calls.map(({ code: text }) => text).join('\n')}
static const struct kernel_function functions[] = {${calls.map(({ row }) => row).join('\n')}};
static const struct kernel_constant constants[] = {
${constants.map(([, constant]) => `{"${constant}", (uint32_t * (*)(void*)) w2c_${name}_${constant}},`).join('\n')}};
static void start(void* instance) { wasm2c_${name}_instantiate(instance${imports}); }
static wasm_rt_memory_t* memory_of(void* instance) { return w2c_${name}_memory(instance); }
const struct kernel kernel_${name} = {"${name}", ${lanes}, sizeof(w2c_${name}), start, memory_of,
  functions, ${functions.length}, constants, ${constants.length}};
`;
}

function listInC() {
  return `#include "kernel.h"
${kernels.map(({ name }) => `extern const struct kernel kernel_${name};`).join('\n')}
const struct kernel* const all_kernels[] = {${kernels.map(({ name }) => `&kernel_${name}`).join(', ')}};
const size_t kernel_count = ${kernels.length};
`;
}
