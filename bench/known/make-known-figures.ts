/**
 * Writes known-figures.ts: runs known_figures.py on the plans that have no closed form.
 *
 * `node build/bench/known/make-known-figures.js 2000000` once the bench is built; python3 must have numpy. To be run
 * again when one of these plans changes: the bench holds the figures to the plans they were made for.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { KNOWN_FIGURES, type KnownPlan } from '../known-figures.ts';
import { planFingerprint, planText } from '../plan-text.ts';
import { planNamed } from '../plans.ts';
import { projectFile } from '../project.ts';

const SEED = 20_260_101;
const paths = Number(process.argv[2] ?? 2_000_000);

/** What the program says of one plan, as JSON. */
function simulate(name: KnownPlan): Promise<string> {
  const program = spawn('python3', [projectFile('bench/known/known_figures.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  program.stdin.end(`{"paths":${paths},"seed":${SEED},"plan":${planText(planNamed(name).plan(1, 0))}}`);
  return new Promise((resolve, reject) => {
    let text = '';
    program.stdout.on('data', chunk => {
      text += chunk;
    });
    program.once('close', code => (code === 0 ? resolve(text) : reject(new Error(`${name}: code ${code}`))));
  });
}

const entries: [string, unknown][] = [];
for (const name of Object.keys(KNOWN_FIGURES) as KnownPlan[]) {
  console.log(`${name}: ${paths} paths`);
  entries.push([
    name,
    { fingerprint: planFingerprint(planNamed(name)), ...JSON.parse(await simulate(name)) },
  ]);
}
writeFileSync(
  projectFile('bench/known-figures.ts'),
  `/** Written by known/make-known-figures.ts: do not edit. Mean and standard deviation per path of every figure. */
export const KNOWN_FIGURES = ${JSON.stringify(Object.fromEntries(entries), undefined, 2)};

export type KnownPlan = keyof typeof KNOWN_FIGURES;
`,
);
