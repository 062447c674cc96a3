/** docs/python.md and the notebook, run unchanged on the sample market if Python has their imports. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ExampleServices,
  fencedBlocks,
  openExampleServices,
  readDocument,
} from '../../docs/tools/examples.mjs';

const has = (modules: string, python: string) => spawnSync(python, ['-c', `import ${modules}`]).status === 0;

/** The first Python that can read tables; the system's own where another comes first. */
const PYTHON = ['python3', '/usr/bin/python3'].find(python => has('requests, pandas', python)) ?? 'python3';

let services: ExampleServices;
beforeAll(() => {
  services = openExampleServices({ realMarketDb: '' });
});
afterAll(() => services.close());

/** Runs a script with the server's address and key in its environment. */
async function runPython(script: string): Promise<{ code: number | null; out: string; err: string }> {
  const { url, key } = await services.address('sample');
  const child = spawn(PYTHON, ['-'], {
    env: { ...process.env, RISK_URL: url, API_KEY: key, MPLBACKEND: 'Agg' },
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

  it.skipIf(!has('requests, pandas', PYTHON))(
    'docs/python.md runs from its first line to its last',
    async () => {
      const { code, out, err } = await runPython(page.map(({ content }) => content).join('\n\n'));
      expect(err).toBe('');
      expect(code).toBe(0);
      expect(out).toContain('PrMarginCall');
      expect(out).toContain('loan_value must be above 0 and at most 1e15 USD; got -1');
    },
  );

  it.skipIf(!has('requests, pandas, matplotlib', PYTHON))(
    'the notebook runs from its first cell to its last',
    async () => {
      const { code, err } = await runPython(cells.join('\n\n'));
      expect(err).toBe('');
      expect(code).toBe(0);
    },
  );
});
