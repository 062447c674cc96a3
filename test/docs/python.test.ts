/** docs/python.md and the notebook, run unchanged on the sample market if Python has their imports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ExampleServices,
  fencedBlocks,
  openExampleServices,
  readDocument,
} from '../../docs/tools/examples.mjs';
import { pythonWith } from '../support/python.ts';

const CLIENT = fileURLToPath(new URL('../../clients/python/src', import.meta.url));
const PYTHON = pythonWith('pandas');
const PLOTTING = pythonWith('pandas, matplotlib');

let services: ExampleServices;
beforeAll(() => {
  services = openExampleServices({ realMarketDb: '' });
});
afterAll(() => services.close());

/** Runs a script with the server's address and key in its environment. */
async function runPython(
  python: string,
  script: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const { url, key } = await services.address('sample');
  const child = spawn(python, ['-'], {
    env: { ...process.env, PYTHONPATH: CLIENT, RISK_URL: url, API_KEY: key, MPLBACKEND: 'Agg' },
  });
  const written = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    written.out += chunk;
  });
  child.stderr.on('data', chunk => {
    written.err += chunk;
  });
  child.stdin.end(script);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written };
}

interface Cell {
  readonly cell_type: string;
  readonly source: readonly string[];
}

const notebook = JSON.parse(readDocument('docs/desk-morning.ipynb')) as { cells: readonly Cell[] };
const cells = notebook.cells
  .filter(({ cell_type }) => cell_type === 'code')
  .map(({ source }) => source.join(''));
const page = fencedBlocks(readDocument('docs/python.md')).filter(({ language }) => language === 'python');

describe('The pages for Python', () => {
  it('contain code', () => {
    expect([page.length, cells.length]).toEqual([6, 5]);
  });

  it.skipIf(PYTHON === undefined)('docs/python.md runs from its first line to its last', async () => {
    const { code, out, err } = await runPython(
      PYTHON as string,
      page.map(({ content }) => content).join('\n\n'),
    );
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toContain('PrMarginCall');
    expect(out).toContain('loan_value must be above 0 and at most 1e15 USD; got -1');
  });

  it.skipIf(PLOTTING === undefined)('the notebook runs from its first cell to its last', async () => {
    const { code, err } = await runPython(PLOTTING as string, cells.join('\n\n'));
    expect(err).toBe('');
    expect(code).toBe(0);
  });
});
