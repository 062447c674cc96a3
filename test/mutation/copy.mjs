/** A copy of the project in which mutants are put, so that the project itself stays as it is. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledOf, patternOf } from './report.mjs';

const FOLDERS = ['src', 'shaders', 'wasm', 'scripts', 'support', 'test', 'bench', 'docs', 'client', 'dist'];
const SETTINGS = [
  'package.json',
  'tsconfig.json',
  'tsconfig.test.json',
  'tsconfig.bench.json',
  'vitest.config.ts',
];
const PARTS = [...FOLDERS, ...SETTINGS, 'README.md', 'CHANGELOG.md'];
const KERNEL = 'dist/engine/wasm/kernel.wasm';

export function copyOf(root) {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  for (const part of PARTS)
    cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

  function buildsKernel() {
    // The build goes by times of files, which may be the same for two writes within a few milliseconds.
    rmSync(join(folder, KERNEL), { force: true });
    return (
      spawnSync(process.execPath, ['scripts/build-wasm.mjs'], { cwd: folder, stdio: 'ignore' }).status === 0
    );
  }

  /** The kernel of the mutant that was built last: it goes in and out once for each of its tests. */
  let built;

  return {
    folder,
    /**
     * TypeScript is changed as compiled, which leaves expressions as they are written: types would refuse few of these mutants.
     *
     * @param {(path: string) => void} changed told of a file when its text is another
     * @returns {import('./judge.mjs').Applied}
     */
    apply(mutant, changed) {
      const path = join(folder, compiledOf(mutant.file));
      const text = readFileSync(path, 'utf8');
      const kernel = readFileSync(join(folder, KERNEL));
      const write = content => {
        writeFileSync(path, content);
        changed(path);
      };
      const remove = () => {
        write(text);
        writeFileSync(join(folder, KERNEL), kernel);
      };
      write(text.replace(patternOf(mutant), () => mutant.to));
      if (!mutant.file.startsWith('wasm/')) return { remove };
      if (built?.mutant === mutant) {
        writeFileSync(join(folder, KERNEL), built.kernel);
        return { remove };
      }
      if (buildsKernel()) {
        built = { mutant, kernel: readFileSync(join(folder, KERNEL)) };
        return { remove };
      }
      write(text);
      const refused = buildsKernel();
      writeFileSync(join(folder, KERNEL), kernel);
      return { refused };
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
