/**
 * Writes every figure of docs/model-document.md and of docs/model-document/ from the results in the repository.
 *
 *   npm run model-document                    measures the loan of the sensitivities and fits anew (bench/results/models.json), then writes
 *   node docs/tools/model-document.mjs        writes only
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResults } from './model/results.mjs';
import { withTables } from './model/tables.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The documents with figures of models, as paths relative to the repository. */
export const MODEL_DOCUMENTS = [
  'docs/model-document.md',
  ...readdirSync(join(ROOT, 'docs/model-document'))
    .sort()
    .map(name => `docs/model-document/${name}`),
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--measure')) await (await import('./model/measure.mjs')).measure();
  const results = readResults();
  for (const path of MODEL_DOCUMENTS) {
    const file = join(ROOT, path);
    writeFileSync(file, withTables(readFileSync(file, 'utf8'), results));
  }
}
