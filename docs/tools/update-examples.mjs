/**
 * Runs every example of README.md, docs/*.md and the fixture of the tests, and writes the answers into them; also the configuration tables.
 *
 *   node docs/tools/update-examples.mjs [--check] [file...]
 *
 * `--check` writes nothing and fails where a document is not up to date. Without the real data (../shared/data, or the folder
 * in RISK_SHARED_DATA) the examples on it are left as they are, and counted. Needs dist: `npm run build` first.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importFiles } from '../../dist/market/import/import-files.js';
import { CONFIG_REFERENCE } from '../../dist/server/config.js';
import {
  EXAMPLE_FIXTURE,
  exampleDocuments,
  openExampleServices,
  readDocument,
  readExamples,
  rewrite,
} from './examples.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const sent = process.argv.slice(2);
const onlyCheck = sent.includes('--check');
const named = sent.filter(argument => argument !== '--check');
const paths = named.length > 0 ? named : [...exampleDocuments(), EXAMPLE_FIXTURE];

const dataDir = resolve(process.env.RISK_SHARED_DATA ?? join(root, '../shared/data'));
const folder = mkdtempSync(join(tmpdir(), 'update-examples-'));
const store = join(folder, 'market');
const hasData = existsSync(dataDir);
if (hasData) await importFiles({ store, paths: [dataDir] });
const services = openExampleServices({ realMarketDb: hasData ? store : '' });

let stale = 0;
let failed = 0;
try {
  for (const path of paths) {
    const text = readDocument(path);
    const answers = new Map();
    const examples = readExamples(text);
    for (const example of examples) {
      if (example.market === 'real' && !hasData) continue;
      try {
        const start = performance.now();
        answers.set(example, await services.run(example));
        const seconds = ((performance.now() - start) / 1000).toFixed(2);
        console.log(`${path}:${example.line} ${example.path} ${seconds} s`);
      } catch (error) {
        failed++;
        console.error(`${path}: ${error.message}`);
      }
    }
    const written = rewrite(text, answers, CONFIG_REFERENCE);
    const left = examples.filter(({ market }) => market === 'real' && !hasData).length;
    if (left > 0) console.log(`${path}: ${left} examples left as they are: no market data at ${dataDir}`);
    if (written === text) continue;
    stale++;
    if (!onlyCheck) writeFileSync(join(root, path), written);
    console.log(`${path}: ${onlyCheck ? 'not up to date' : 'rewritten'}`);
  }
} finally {
  await services.close();
  rmSync(folder, { recursive: true, force: true });
}
if (failed > 0 || (onlyCheck && stale > 0)) process.exitCode = 1;
