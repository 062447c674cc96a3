/**
 * The groups of the public WebGPU conformance suite on which the kernels rely, on this machine's driver.
 *
 *   npm run conformance -- CHECKOUT [--only TEXT] [--json FILE]
 *
 * CHECKOUT is a folder of github.com/gpuweb/cts; Debian's source package of firefox-esr has one in dom/webgpu/tests/cts/checkout. The
 * software driver of the tests runs it, or that of SOFTWARE_GPU_DRIVER. Groups follow from the text of the shaders: a built-in function
 * that they call is a group, and so is what they use of the language (LANGUAGE) and the host of the API (HOST). Left out are cases of f16
 * and of abstract numbers, which the kernels do not have, and of constants, which no driver computes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { softwareGpuEnvironment } from '#src/engine/gpu-process/software-gpu.js';
import { projectFile } from '../project.ts';
import { table } from '../table.ts';

const EXPRESSION = 'shader,execution,expression';

/** Groups of the language, and where a shader uses what they test. */
const LANGUAGE: readonly (readonly [group: string, used: RegExp])[] = [
  [`${EXPRESSION},access,array`, /\w\[/],
  [`${EXPRESSION},access,matrix`, /mat\dx\d/],
  [`${EXPRESSION},access,structure`, /\bstruct\b/],
  [`${EXPRESSION},access,vector`, /\.[xyzw]{1,4}\b/],
  ...['addition', 'subtraction', 'multiplication', 'division', 'comparison'].map(
    operation => [`${EXPRESSION},binary,f32_${operation}`, /\bf32\b/] as const,
  ),
  ...['u32_arithmetic', 'u32_comparison'].map(each => [`${EXPRESSION},binary,${each}`, /\bu32\b/] as const),
  ...['i32_arithmetic', 'i32_comparison'].map(each => [`${EXPRESSION},binary,${each}`, /\bi32\b/] as const),
  [`${EXPRESSION},binary,bitwise`, / [&|^] /],
  [`${EXPRESSION},binary,bitwise_shift`, / (<<|>>) /],
  [`${EXPRESSION},binary,bool_logical`, / (&&|\|\|) /],
  [`${EXPRESSION},constructor`, /vec4\(/],
  [`${EXPRESSION},precedence`, /\bf32\b/],
  [`${EXPRESSION},unary,address_of_and_indirection`, /\(\*\w+\)/],
  [`${EXPRESSION},unary,bool_logical`, /!\w/],
  [`${EXPRESSION},unary,f32_arithmetic`, /[(= ]-[a-z(]/],
  [`${EXPRESSION},unary,f32_conversion`, /\bf32\(/],
  [`${EXPRESSION},unary,i32_conversion`, /<i32>\(/],
  [`${EXPRESSION},unary,u32_conversion`, /\bu32\(/],
  [`${EXPRESSION},unary,u32_complement`, /~/],
  [`${EXPRESSION},call,user`, /ptr</],
  ['shader,execution,flow_control', /\bfor\b/],
  ['shader,execution,statement,compound', / [-+*/]= /],
  ['shader,execution,statement,increment_decrement', /\+\+/],
  ['shader,execution,memory_layout', /\bstruct\b/],
  ['shader,execution,padding', /\bstruct\b/],
  ['shader,execution,value_init', /var \w+: [^=]*;/],
  [
    'shader,execution,zero_init:compute,zero_init:addressSpace="workgroup";workgroupSize=[64,1,1]',
    /var<workgroup>/,
  ],
  ['shader,execution,memory_model', /Barrier\(/],
  ['shader,execution,robust_access', /var<storage/],
  ['shader,execution,limits', /var<workgroup>/],
  ['shader,execution,shader_io,compute_builtins', /@builtin/],
  ['shader,execution,shader_io,workgroup_size', /@workgroup_size/],
];

/** Groups of the API that src/core/gpu uses. */
const HOST = [
  'adapter,requestAdapter',
  'buffers',
  'command_buffer,basic',
  'command_buffer,clearBuffer',
  'command_buffer,copyBufferToBuffer',
  'command_buffer,programmable,state_tracking',
  'compute',
  'compute_pipeline',
  'device,lost',
  'memory_sync,buffer',
  'onSubmittedWorkDone',
  'pipeline',
  'queue',
  'resource_init,buffer',
  'shader_module',
  'uncapturederror',
].map(name => `api,operation,${name}`);

/** What is called like a function and is none: constructors, attributes, words of the language. */
const NO_FUNCTION =
  /^(array|bool|f32|i32|u32|(vec|mat)\d\w*|if|for|while|switch|return|group|binding|builtin|workgroup_size)$/;
const LEFT_OUT = /f16|abstract|:a[fi]_|inputSource="const"/;
/** Of a message of the suite: some list every value. */
const MOST_LETTERS = 500;
/** A case that takes longer counts as one without an end. */
const LONGEST_MS = 120_000;

type Status = 'pass' | 'warn' | 'skip' | 'fail' | 'crash' | 'no end';

interface CaseResult {
  readonly name: string;
  readonly status: Status;
  readonly message: string;
}

type FromChild = { readonly starts: string } | { readonly ended: CaseResult } | 'done';

/** The groups of a checkout that the shaders need. @throws Error where it has none for a function that they call */
function neededGroups(checkout: string): string[] {
  const shaders = readdirSync(projectFile('shaders'), { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.wgsl'),
  );
  const text = shaders
    .map(name => readFileSync(projectFile(join('shaders', name)), 'utf8').replace(/\/\/.*$/gm, ''))
    .join('\n');
  const own = new Set([...text.matchAll(/\b(?:fn|struct|alias) (\w+)/g)].map(([, name]) => name));
  const called = new Set([...text.matchAll(/\b([a-z]\w*)(?:<[\w<>, ]*>)?\(/g)].map(([, name]) => name));
  const folder = join(checkout, 'src/webgpu', ...EXPRESSION.split(','), 'call/builtin');
  const specs = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const builtins = [...called]
    .filter(name => !own.has(name) && !NO_FUNCTION.test(name))
    .sort()
    .map(name => {
      const spec = specs.find(file => file === `${name}.spec.ts` || file.endsWith(`/${name}.spec.ts`));
      if (spec === undefined) throw new Error(`The suite has no group for ${name}, which a shader calls.`);
      return `${EXPRESSION},call,builtin,${spec.replace('.spec.ts', '').replaceAll('/', ',')}`;
    });
  return [...builtins, ...LANGUAGE.filter(([, used]) => used.test(text)).map(([group]) => group), ...HOST];
}

/** Translates the suite to CommonJS, as its own entry for Node does. */
async function compileSuite(checkout: string, outdir: string): Promise<void> {
  const { build } = await import('esbuild');
  const source = join(checkout, 'src');
  const entryPoints = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(name => /^(common|webgpu)\/.*(?<!\.d)\.ts$|float16\.js$/.test(name))
    .map(name => join(source, name));
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'package.json'), '{"type":"commonjs"}');
  await build({ entryPoints, outdir, outbase: source, format: 'cjs', platform: 'node', logLevel: 'error' });
}

/** In a process of its own: runs the cases of a group from the one of that number on, each told before and after. */
async function runCases(checkout: string, compiled: string, group: string, from: number): Promise<void> {
  const send = (message: FromChild) => new Promise(sent => process.send?.(message, sent));
  const load = createRequire(join(compiled, 'package.json'));
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  // Referenced for the life of the process: Dawn crashes when its instance is collected.
  const gpu = create([]);
  load('./common/util/navigator_gpu.js').setGPUProvider(() => gpu);
  load('./common/framework/data_cache.js').dataCache.setStore({
    // A copy: the suite reads the whole memory under what it is given.
    load: async (name: string) => new Uint8Array(readFileSync(join(checkout, 'src/resources/cache', name))),
  });
  const { DefaultTestFileLoader } = load('./common/internal/file_loader.js');
  const { Logger } = load('./common/internal/logging/logger.js');
  const { prettyPrintLog } = load('./common/internal/logging/log_message.js');
  const { parseQuery } = load('./common/internal/query/parseQuery.js');
  const cases = await new DefaultTestFileLoader().loadCases(
    parseQuery(`webgpu:${group}${group.includes(':') ? ';' : ','}*`),
  );
  const log = new Logger();
  let number = 0;
  for (const each of cases) {
    const name: string = each.query.toString();
    if (LEFT_OUT.test(name) || number++ < from) continue;
    await send({ starts: name });
    const [recorder, result] = log.record(name);
    await each.run(recorder, []);
    const message: string = (result.logs ?? []).map(prettyPrintLog).join('\n').slice(0, MOST_LETTERS);
    await send({ ended: { name, status: result.status, message } });
  }
  await send('done');
  process.exit(0);
}

/** All cases of a group. A process that a case ends, or keeps, is started again behind this case. */
async function runGroup(checkout: string, compiled: string, group: string): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (let isDone = false; !isDone; ) {
    const child = fork(
      fileURLToPath(import.meta.url),
      [checkout, '--child', compiled, group, `${results.length}`],
      {
        env: { ...process.env, ...(await softwareGpuEnvironment()) },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    let current = '';
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    child.on('message', (message: FromChild) => {
      clearTimeout(timer);
      if (message === 'done') isDone = true;
      else if ('ended' in message) results.push(message.ended);
      else {
        current = message.starts;
        timer = setTimeout(() => {
          isLate = true;
          child.kill('SIGKILL');
        }, LONGEST_MS);
      }
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    clearTimeout(timer);
    if (isDone) break;
    if (current === '')
      throw new Error(
        `${group}: the process of the suite ended with ${signal ?? code} before the first case.`,
      );
    results.push({ name: current, status: isLate ? 'no end' : 'crash', message: `${signal ?? code}` });
  }
  return results;
}

async function main(checkout: string, only: string | undefined, json: string | undefined): Promise<void> {
  const compiled = projectFile('build/conformance');
  const groups = neededGroups(checkout).filter(group => only === undefined || group.includes(only));
  await compileSuite(checkout, compiled);
  const results: CaseResult[] = [];
  const rows: string[][] = [];
  for (const group of groups) {
    const start = performance.now();
    const found = await runGroup(checkout, compiled, group);
    results.push(...found);
    const count = (...statuses: Status[]) =>
      `${found.filter(({ status }) => statuses.includes(status)).length}`;
    rows.push([
      group,
      `${found.length}`,
      count('pass', 'warn'),
      count('skip'),
      count('fail', 'crash', 'no end'),
    ]);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stderr.write(`${rows.at(-1)?.join(' ')}, ${seconds} s\n`);
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(results, undefined, 1)}\n`);
  }
  process.stdout.write(`${table(['group', 'cases', 'passed', 'skipped', 'failed'], rows)}\n`);
  for (const { name, status, message } of results)
    if (!['pass', 'warn', 'skip'].includes(status))
      process.stdout.write(`\n${status}: ${name}\n${message}\n`);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, json: { type: 'string' }, child: { type: 'boolean' } },
});
const [checkout, ...job] = positionals;
if (checkout === undefined)
  throw new Error('Name the folder of a checkout of the suite (github.com/gpuweb/cts).');
if (values.child) await runCases(checkout, job[0], job[1], Number(job[2]));
else await main(checkout, values.only, values.json);
