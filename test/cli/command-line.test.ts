/** The installed command line: from the tarball of `npm pack`, with the dependencies of the package only. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationOf } from '#src/cli/ask.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import { EXAMPLES } from '#src/server/openapi/examples.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { everyNth } from '../support/engines.ts';
import { KEY, serve } from '../support/http-app.ts';
import { LOAN_RISK, withMember } from '../support/request-bodies.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The example of an operation on few paths. */
const exampleOf = (path: '/loan_risk' | '/backtest') =>
  JSON.stringify(withMember(EXAMPLES[path][0], 'params.mc_iter', 100));

let folder: string;
let program: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'installed-'));
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename }] = JSON.parse(packed) as { filename: string }[];
  const modules = join(folder, 'node_modules');
  const home = join(modules, 'collateral-risk-engine');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', home, '--strip-components=1']);
  // The installation of npm beside it: its dependencies, without tools of the repository.
  const { dependencies } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  program = join(home, 'dist/cli/main.js');
  writeFileSync(join(folder, 'loan.json'), exampleOf('/loan_risk'));
  writeFileSync(join(folder, 'faulty.json'), '{"type":"GBM","params":{}}');
  writeFileSync(join(folder, 'broken.json'), '{"type":');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const ENVIRONMENT = { MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '1', LOG_LEVEL: 'silent' };

function run(
  words: readonly string[],
  input = '',
  environment: Readonly<Record<string, string>> = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...ENVIRONMENT, ...environment },
  });
  return { code: status, out: stdout, err: stderr };
}

/** As `run`, for a server in this process, which must go on meanwhile. */
async function runBeside(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    written.out += chunk;
  });
  child.stderr.on('data', chunk => {
    written.err += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written };
}

describe('The command line', () => {
  it('shows its help, and its version', () => {
    const help = run(['--help']);
    expect(help.code).toBe(0);
    for (const command of ['serve', 'market', 'keys', 'ask', 'bench'])
      expect(help.out).toMatch(new RegExp(`^  ${command} `, 'm'));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const shown = run(['--version']);
    expect(shown).toMatchObject({ code: 0, err: '' });
    // Never the version of a release alone: a build between two of them has the name of its commit or of its sources.
    expect(shown.out).toMatch(new RegExp(`^${version}\\+([0-9a-f]{12}|build\\.[0-9a-f]{12})\n$`));
  });

  const NOT_UNDERSTOOD = [
    ['serv'],
    ['ask'],
    ['ask', 'loan.json', '--seed', '-1'],
    ['keys', 'list'],
    ['ask', 'loan.json', '--url', 'localhost:18080'],
    ['backtest', 'loan.json', '--url', '127.0.0.1:18080'],
    ['serve', '--no-such-option'],
    ['keys', 'burn'],
    ['keys', 'create', '--file', 'none.json', '--name', 'desk', '--concurrent', '1.5'],
  ];
  for (const { part, tags, some } of everyNth(3, NOT_UNDERSTOOD))
    it(`ends with 2 where it does not understand, ${part}`, { tags }, () => {
      for (const words of some) {
        const { code, out, err } = run(words);
        expect([code, out], words.join(' ')).toEqual([2, '']);
        expect(err, words.join(' ')).toMatch(/^error: /);
      }
    });

  it('names an invalid address', () => {
    const { err } = run(['ask', 'loan.json', '--url', 'http://localhost:18080/?key=1']);
    expect(err).toContain("argument 'http://localhost:18080/?key=1' is invalid");
  });

  it('ends with 2 and names the variable of an invalid configuration', { tags: ['slow'] }, () => {
    const { code, err } = run(['ask', 'loan.json'], '', { CPU_THREADS: 'many' });
    expect([code, err]).toEqual([2, expect.stringContaining('CPU_THREADS must be a whole number')]);
  });

  it('creates keys that a server accepts, and digests of keys', { tags: ['slow'] }, () => {
    const { key, digest } = JSON.parse(run(['keys', 'create', '--json']).out) as Record<string, string>;
    expect(digest).toBe(`sha256:${hashKey(key).toString('hex')}`);
    expect(run(['keys', 'digest'], `${key}\n`)).toEqual({ code: 0, out: `${digest}\n`, err: '' });
  });

  const REFUSED_OPTIONS: [why: string, words: string[], environment: Record<string, string>][] = [
    ['a key in none.json needs a --name', ['--file', 'none.json'], {}],
    ['a key in none.json needs a --name', [], { KEYS_FILE: 'none.json' }],
    [
      '--name, --scopes, --days, --work-per-minute, --concurrent: name the file of keys',
      '--name desk --scopes read --days 9 --work-per-minute 1e9 --concurrent 2'.split(' '),
      { KEYS_FILE: '' },
    ],
    ['--file: name the file of keys', ['--file', ''], {}],
  ];
  for (const { part, tags, some } of everyNth(3, REFUSED_OPTIONS))
    it(`refuses options that a new key would not have, ${part}`, { tags }, () => {
      for (const [why, words, environment] of some) {
        const { code, out, err } = run(['keys', 'create', ...words], '', environment);
        expect([code, out], words.join(' ')).toEqual([2, '']);
        expect(err, words.join(' ')).toContain(`error: ${why}`);
        expect(existsSync(join(folder, 'none.json'))).toBe(false);
      }
    });

  it('reports in one line a file that cannot store a key, and prints no key', () => {
    const words = ['keys', 'create', '--file', 'none.json', '--name', 'desk', '--days', '1e12'];
    expect(run(words)).toEqual({
      code: 1,
      out: '',
      err: 'expires must be before the year 10000, not 1000000000000 days from now\n',
    });
    expect(existsSync(join(folder, 'none.json'))).toBe(false);
  });

  it('passes on the arguments of market', { tags: ['slow'] }, () => {
    const help = run(['market', '--help'], '', { MARKET_DB: join(folder, 'market') });
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('import')]);
    expect(run(['market', 'import'], '', { MARKET_DB: join(folder, 'market') }).code).toBe(2);
  });

  it('names the place of the bench', () => {
    expect(run(['bench'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('npm run bench') });
  });
});

describe('backtest', () => {
  it('prints the answer of the operation, and its progress on standard error', { tags: ['slow'] }, () => {
    const body = exampleOf('/backtest');
    const { code, out, err } = run(['backtest', '-', '--seed', '7'], body);
    expect(code, err).toBe(0);
    expect(err).toMatch(/^(back-test, (queued|running|done): \d+ % done(, \d+ (s|min) left)?\n)+$/);
    const asked = run(['ask', '-', '--seed', '7'], body);
    expect(JSON.parse(out)).toEqual(JSON.parse(asked.out));
    const csv = run(['backtest', '-', '--seed', '7', '--format', 'csv'], body);
    const { Output } = JSON.parse(out) as { Output: { Forecasts: number } };
    expect(csv.out).toContain(`Output,Forecasts,,,${Output.Forecasts}\r\n`);
  });

  it('prints a refusal to standard error and ends with 1, and with 2 for a missing file', {
    tags: ['slow'],
  }, () => {
    const { code, out, err } = run(['backtest', 'faulty.json']);
    expect([code, out]).toEqual([1, '']);
    expect(JSON.parse(err)).toMatchObject({ status: 422 });
    expect(run(['backtest', 'no-such-file.json']).code).toBe(2);
  });

  it('ends with 2 where standard input cannot be read', { tags: ['slow'] }, () => {
    const input = openSync(folder, 'r');
    try {
      const { status, stderr } = spawnSync(process.execPath, [program, 'backtest'], {
        encoding: 'utf8',
        stdio: [input, 'pipe', 'pipe'],
      });
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^standard input: EISDIR.+\n$/)]);
    } finally {
      closeSync(input);
    }
  });

  it('names a missing store', { tags: ['slow'] }, () => {
    const { code, out, err } = run(['backtest', 'loan.json', '--market', 'no-such-store']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('no-such-store');
  });
});

describe('ask', () => {
  it('answers a request without a server', () => {
    const { code, out, err } = run(['ask', 'loan.json', '--seed', '7']);
    expect([code, err]).toEqual([0, '']);
    const answer = JSON.parse(out) as { Output: Record<string, number> };
    expect(answer.Output.PrMarginCall).toBeGreaterThan(0);
  });

  it('answers a request on standard input as one in a file, and prints a table', { tags: ['slow'] }, () => {
    const { out } = run(['ask', 'loan.json', '--seed', '7']);
    const answer = JSON.parse(out) as { Output: Record<string, number> };
    const again = run(
      ['ask', '-', '--seed', '7', '--format', 'csv'],
      readFileSync(join(folder, 'loan.json'), 'utf8'),
    );
    expect(again.out).toContain(`Output,PrMarginCall,,,${answer.Output.PrMarginCall}\r\n`);
  });

  it('prints the problem document of a refusal to standard error and ends with 1', { tags: ['slow'] }, () => {
    const { code, out, err } = run(['ask', 'faulty.json']);
    expect([code, out]).toEqual([1, '']);
    expect(JSON.parse(err)).toMatchObject({ status: 422, errors: expect.any(Array) });
  });

  it.each(['broken.json', 'no-such-file.json'])('ends with 2 for %s', { tags: ['slow'] }, file => {
    const { code, err } = run(['ask', file]);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^${file}: .+\n$`));
  });

  it('sends requests to a running server, with the key in API_KEY', { tags: ['slow'] }, async () => {
    const server: RunningServer = await serve();
    writeFileSync(join(folder, 'test.json'), JSON.stringify(LOAN_RISK));
    try {
      const asked = await runBeside(['ask', 'test.json', '--url', server.url], { API_KEY: KEY });
      expect([asked.code, asked.err]).toEqual([0, '']);
      expect(JSON.parse(asked.out)).toHaveProperty('Output.PrLiquidation');
      const refused = await runBeside(['ask', 'test.json', '--url', server.url], { API_KEY: 'wrong' });
      expect([refused.code, JSON.parse(refused.err)]).toEqual([1, expect.objectContaining({ status: 401 })]);
    } finally {
      await server.drain(1000);
    }
    const gone = await runBeside(['ask', 'test.json', '--url', server.url], {});
    expect(gone).toMatchObject({ code: 1, err: expect.stringMatching(/^http:.+ECONNREFUSED.+\n$/) });
  });

  it.each(Object.entries(EXAMPLES).flatMap(([path, bodies]) => bodies.map(body => [path, body] as const)))(
    'finds out that a body is for %s',
    (path, body) => expect(operationOf(body)).toBe(path),
  );
});
