/** Which kernel a process takes at its start. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { instantiateKernel, Kernel } from '#src/core/simd/kernel.js';
import { chooseKernel, type KernelSources } from '#src/engine/native/kernel-choice.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';
import { collectLog } from '../../support/log-lines.ts';

const WASM = { kernel: 'wasm', lanes: 4 };

/** A library whose kernels are WebAssembly under other names. */
const natives: KernelSources['natives'] = () => [
  { name: 'sse', lanes: 4, isSupported: true },
  { name: 'avx2', lanes: 8, isSupported: true },
  { name: 'avx512', lanes: 16, isSupported: false },
];
const sound: KernelSources = { natives, open: () => instantiateKernel(readKernel()) };

/** The same with a kernel whose origination scans begin a path too late. */
const unsound: KernelSources = {
  natives,
  open: () => {
    const { exports, lanes } = instantiateKernel(readKernel());
    const simulatePaths: typeof exports.simulatePaths = (path, ...others) =>
      exports.simulatePaths(path + 1, ...others);
    return new Kernel({ ...exports, simulatePaths }, lanes);
  },
};

describe('The choice of a kernel', () => {
  it('is the widest that the processor has', () => {
    const { log, lines } = collectLog();
    expect(chooseKernel('auto', log, sound)).toEqual({ kernel: 'avx2', lanes: 8 });
    expect(lines).toEqual([]);
  });

  it('is WebAssembly where no wider kernel exists, or none is configured', () => {
    const { log, lines } = collectLog();
    const narrow = { ...sound, natives: () => natives().slice(0, 1) };
    expect(chooseKernel('auto', log, narrow)).toEqual(WASM);
    expect(chooseKernel('0', log, sound)).toEqual(WASM);
    expect(lines).toEqual([]);
  });

  it('is the configured kernel', () => {
    expect(chooseKernel('sse', collectLog().log, sound)).toEqual({ kernel: 'sse', lanes: 4 });
  });

  it('is WebAssembly and a warning where the configured kernel does not exist', () => {
    const { log, lines } = collectLog();
    expect(chooseKernel('avx512', log, sound)).toEqual(WASM);
    expect(lines).toMatchObject([
      { level: 40, native: 'avx512', msg: 'no such native kernel here: WebAssembly serves' },
    ]);
  });

  it('is WebAssembly and a warning that names the plan where a kernel differs', () => {
    const { log, lines } = collectLog();
    expect(chooseKernel('auto', log, unsound)).toEqual(WASM);
    expect(lines).toMatchObject([
      {
        level: 40,
        native: 'avx2',
        plan: expect.stringMatching(/^(origination|capped-loan) under \S+, \d assets$/),
        msg: 'the native kernel differs from WebAssembly, which serves',
      },
    ]);
  });

  it('is WebAssembly and a warning where the library cannot be loaded', () => {
    const { log, lines } = collectLog();
    const broken: KernelSources = {
      ...sound,
      natives: () => {
        throw new Error('not a library of this system');
      },
    };
    expect(chooseKernel('auto', log, broken)).toEqual(WASM);
    expect(lines).toMatchObject([{ level: 40, msg: 'the native kernel cannot be used: WebAssembly serves' }]);
  });
});

describe('The build of the native kernel', () => {
  it('reports in one line that there is no compiler, and succeeds', { tags: ['slow'] }, () => {
    const root = join(import.meta.dirname, '../../..');
    const copy = mkdtempSync(join(tmpdir(), 'no-compiler-'));
    for (const folder of ['scripts', 'kernel'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    mkdirSync(join(copy, 'dist'));
    const said = execFileSync(process.execPath, ['kernel/build-native.mjs'], {
      cwd: copy,
      env: { ...process.env, CC: 'no-such-compiler' },
      encoding: 'utf8',
    });
    expect(said).toMatch(
      /^native kernel: (no C compiler \(no-such-compiler\)|not on \S+); WebAssembly serves\n$/,
    );
  });
});
