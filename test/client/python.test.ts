/** The Python client: its own tests from an installed wheel, and its operations, which are generated. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { text } from '../../clients/python/generate.mjs';
import packageJson from '../../package.json' with { type: 'json' };
import { pythonWith } from '../support/python.ts';
import { SERVICE_KEY, useSampleService } from '../support/sample-service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const CLIENT = path.join(root, 'clients/python');
const OPERATIONS = path.join(CLIENT, 'src/collateral_risk_engine/operations.py');
const run = promisify(execFile);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'python-client-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const app = useSampleService();

it('The operations of the Python client are those of openapi.json', () => {
  expect(readFileSync(OPERATIONS, 'utf8')).toBe(text);
});

it('The Python client has the version of the engine', () => {
  const text = readFileSync(path.join(CLIENT, 'pyproject.toml'), 'utf8');
  expect(/^version = "(.*)"$/m.exec(text)?.[1]).toBe(packageJson.version);
});

const python = pythonWith('pandas, setuptools, wheel');
it.skipIf(python === undefined)(
  'The wheel and the source package of the Python client are built offline, and pass its tests',
  { tags: ['slow'] },
  async () => {
    const program = python as string;
    // The builder of the project by its own interface (PEP 517), which asks for nothing of the network.
    const build =
      'import os, sys; from setuptools import build_meta as b; os.chdir(sys.argv[1]); getattr(b, sys.argv[2])(sys.argv[3])';
    const source = path.join(folder, 'source');
    await run('cp', ['-r', CLIENT, source]);
    for (const form of ['build_sdist', 'build_wheel'])
      await run(program, ['-c', build, source, form, folder]);
    const built = readdirSync(folder).filter(name => name !== 'source');
    const version = packageJson.version;
    expect(built.sort()).toEqual([
      `collateral-risk-engine-${version}.tar.gz`,
      `collateral_risk_engine-${version}-py3-none-any.whl`,
    ]);
    const wheel = path.join(folder, built.find(name => name.endsWith('.whl')) as string);
    const { stderr } = await run(program, ['-W', 'error', '-m', 'unittest', '-v', 'test_client'], {
      cwd: path.join(CLIENT, 'tests'),
      env: {
        ...process.env,
        // A wheel of Python alone is importable as it is.
        PYTHONPATH: wheel,
        PYTHONDONTWRITEBYTECODE: '1',
        RISK_URL: app.service.url,
        API_KEY: SERVICE_KEY,
        RISK_COMMAND: `${process.execPath} ${path.join(root, 'dist/cli/main.js')}`,
      },
    });
    expect(stderr).toMatch(/Ran \d+ tests/);
    expect(stderr).toMatch(/^OK$/m);
  },
);
