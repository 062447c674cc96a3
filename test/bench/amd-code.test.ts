/**
 * The machine code of every kernel on an AMD GPU, beside what is recorded: one of the text that is recorded is not compiled again. Needs the
 * drivers that `node scripts/mesa.mjs` unpacks, and skips without them; CI has them.
 *
 * @module-tag slow
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFile } from '../../bench/project.ts';
import { compileForAmd } from '../../bench/shaders/radv.ts';
import { amdRow, readRecorded, textDigest, worseKernels } from '../../bench/shaders/recorded.ts';
import { chosenVariants, nameOf } from '../../bench/shaders/variants.ts';

it.skipIf(!existsSync(projectFile('build/mesa')))(
  'No kernel takes more of an AMD GPU than is recorded (else, where that is meant: npm run bench:shaders -- --write)',
  async () => {
    const { compilers, kernels: recorded } = readRecorded();
    const all = chosenVariants(true, []);
    const texts = await Promise.all(all.map(textDigest));
    const only = all.filter((variant, i) => recorded[nameOf(variant)]?.text !== texts[i]);
    // One is compiled at least: it shows the driver of the record.
    const names = [...new Set((only.length > 0 ? only : [all[0]]).map(({ kernel }) => kernel.name))];
    const tsc = projectFile('node_modules/typescript/bin/tsc');
    const built = spawnSync(process.execPath, [tsc, '-p', projectFile('bench/tsconfig.json')]);
    expect(String(built.stdout)).toBe('');
    const folder = mkdtempSync(join(tmpdir(), 'amd-code-'));
    try {
      const { device, kernels } = await compileForAmd('NAVI21', { all: true, only: names }, folder);
      expect(device, 'the driver of the record').toBe(compilers.amd);
      const variants = chosenVariants(true, names);
      expect(kernels.size).toBe(variants.length);
      const found = variants.map(
        (variant, number) => [nameOf(variant), amdRow(kernels.get(number)!.figures)] as const,
      );
      expect(worseKernels(recorded, new Map(found))).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
