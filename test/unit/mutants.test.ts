/** The mutants of `npm run test:mutation` fit the source: each text to be changed stands in its file exactly once. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('finds every mutant of the mutation run in the source', () => {
  const program = fileURLToPath(new URL('../mutation/run.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--check'], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\d{2,} mutants fit\n$/);
  expect(status).toBe(0);
});
