/**
 * The commands of README.md and docs/: every command in a fenced `sh` block is run, or compared with the files that it names. An unknown
 * kind of command is a failure.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG_REFERENCE, loadConfig } from '#src/server/config.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import {
  type ExampleServices,
  exampleDocuments,
  fencedBlocks,
  formatJson,
  openExampleServices,
  partOf,
  readDocument,
  readExamples,
} from '../../docs/tools/examples.mjs';
import { writeFiles } from '../support/market-files.ts';
import { type ShellCommand, shellCommands } from '../support/shell-lines.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const scripts = (JSON.parse(readDocument('package.json')) as { scripts: Record<string, string> }).scripts;
/** Those of the configuration, of the real data of tests, and of their software driver (src/engine/gpu-process/software-gpu.ts). */
const variables = new Set([
  ...CONFIG_REFERENCE.map(({ name }) => name),
  'RISK_SHARED_DATA',
  'SOFTWARE_GPU_DRIVER',
]);
const documents = exampleDocuments().map(path => ({ path, text: readDocument(path) }));

let folder: string;
let services: ExampleServices;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  writeFiles(folder, {
    'data/daily/btc_usdt.csv': ['date,open,high,low,close,volume', '2024-01-01,1,2,1,2,10'],
  });
  services = openExampleServices({ realMarketDb: '' });
});
afterAll(async () => {
  await services.close();
  rmSync(folder, { recursive: true });
});

/** The market commands, on a store and a data folder of this test: the paths of a reader have unknown contents. */
async function runMarket([command, ...words]: readonly string[]): Promise<void> {
  const env = { ...process.env, MARKET_DB: join(folder, 'market') };
  const market = async (...sent: readonly string[]) =>
    (await run(process.execPath, [join(root, 'dist/cli/main.js'), 'market', ...sent], { env })).stdout;
  const data = join(folder, 'data');
  if (command === 'list' || command === 'keep') await market('import', data);
  if (command === 'keep') {
    const [version] = /\b[0-9a-f]{12}\b/.exec(await market('keep')) ?? [];
    if (version === undefined) throw new Error('The store has no version.');
    if (words.length > 0) expect(await market('keep', version)).toContain(version);
    return;
  }
  const stdout = await market(command, ...words.map(() => data));
  expect(stdout).toMatch(command === 'list' ? /BTC/ : /daily/);
}

async function checkNpm([first, ...rest]: readonly string[]): Promise<void> {
  if (first === 'ci') {
    expect(existsSync(join(root, 'package-lock.json'))).toBe(true);
    return;
  }
  const script = first === 'run' ? rest[0] : first;
  expect(Object.keys(scripts), `npm ${first}`).toContain(script);
  const separator = rest.indexOf('--');
  if (script === 'market') await runMarket(rest.slice(separator + 1));
}

type Example = ReturnType<typeof readExamples>[number];

/** @param shown the answer that the document has behind the command */
async function runCurl({ line }: ShellCommand, shown: Example | undefined): Promise<void> {
  const { url, key } = await services.address('sample');
  const here = line
    .replace(/https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/, url)
    .replace(/^\w+/, 'curl -sS');
  const withKey = here.replace(/(x-api-key:\s*)[^'"\s]+/i, `$1${key}`);
  const { stdout } = await run('bash', ['-c', `${withKey} -w '\\n%{http_code}'`], {
    env: { ...process.env, API_KEY: key },
  });
  const lines = stdout.split('\n');
  expect(lines.at(-1), stdout).toBe('200');
  if (shown === undefined) return;
  const answer = JSON.parse(lines.slice(0, -1).join('\n')) as Record<string, unknown>;
  expect(
    formatJson(partOf(answer, shown.show)),
    'the command gives another answer than the one behind it',
  ).toBe(shown.answer.content);
}

function checkDocker(words: readonly string[]): void {
  const dockerfile = readDocument('Dockerfile.gpu');
  const valuesOf = (option: string) => words.flatMap((word, i) => (word === option ? [words[i + 1]] : []));
  for (const file of valuesOf('-f')) expect(existsSync(join(root, file)), file).toBe(true);
  for (const setting of valuesOf('-e')) expect([...variables]).toContain(setting.split('=')[0]);
  for (const ports of valuesOf('-p')) expect(dockerfile).toContain(`EXPOSE ${ports.split(':').at(-1)}`);
  expect(words[0]).toMatch(/^(build|run)$/);
}

/** Runs or checks one command; throws for one of a kind that is not known. */
async function check(command: ShellCommand, shown?: Example): Promise<void> {
  const { environment, words, line } = command;
  for (const name of Object.keys(environment)) expect([...variables]).toContain(name);
  const literal = Object.entries(environment).filter(([, value]) => !value.includes('$'));
  expect(() => loadConfig(Object.fromEntries(literal))).not.toThrow();
  const [program, ...rest] = words;
  if (program === 'npm') return checkNpm(rest);
  if (program === 'curl') return runCurl(command, shown);
  if (program === 'docker') return checkDocker(rest);
  if (program === 'npx') {
    expect(rest[0]).toBe('collateral-risk-engine');
    await run(process.execPath, [join(root, 'dist/cli/main.js'), ...rest.slice(1)]);
    return;
  }
  if (program === 'node') {
    expect(existsSync(join(root, rest[0])), rest[0]).toBe(true);
    return;
  }
  if (program === './run.sh') {
    // The bundle's own script, which is run on hosts with a GPU.
    const script = readFileSync(join(root, 'scripts/gpu-bundle-run.sh'), 'utf8');
    expect(script, line).toContain(`  ${rest[0]})`);
    return;
  }
  expect(
    ['cp', 'cd', 'export', 'printf', 'sha256sum', 'tar'],
    `a kind of command that is not checked: ${line}`,
  ).toContain(program);
}

for (const { path, text } of documents) {
  const blocks = fencedBlocks(text).filter(({ language }) => /^(sh|bash|shell|console)$/.test(language));
  const examples = readExamples(text);
  const commands = blocks.flatMap(block => {
    const shown = examples.find(({ request }) => request.first === block.first);
    return shellCommands(block.content).map(command => ({ command, at: block.first, shown }));
  });
  if (commands.length > 0) {
    describe(`${path} tells to type`, () => {
      for (const { command, at, shown } of commands) {
        // A command that computes a book takes some seconds.
        const isMarket = command.words.includes('market');
        const tags = command.words[0] === 'npx' || (isMarket && path !== 'README.md') ? ['slow'] : [];
        const title = `line ${at + 2} ff.: ${command.words.join(' ').slice(0, 100)}`;
        it(title, { tags }, () => check(command, shown));
      }
    });
  }
}

describe('The documents', () => {
  it('name existing npm scripts only', () => {
    for (const { path, text } of documents) {
      const named = [...text.matchAll(/`npm (?:run )?([\w:-]+)[^`]*`/g)].map(match => match[1]);
      for (const script of named.filter(name => name !== 'ci')) {
        expect(Object.keys(scripts), `${path}: npm run ${script}`).toContain(script);
      }
    }
  });

  it('name variables in capitals only if something reads them', () => {
    const known = [...variables, ...dockerVariables()].join(' ');
    for (const { path, text } of documents) {
      const assigned = [...text.matchAll(/(?:^|[\s`])([A-Z]+(?:_[A-Z]+)+)=/gm)].map(match => match[1]);
      for (const name of assigned) expect(known.split(' '), `${path}: ${name}`).toContain(name);
    }
  });

  it('show the command for a digest of a key that the server accepts', async () => {
    const line = 'printf %s "$API_KEY" | sha256sum';
    expect(readDocument('docs/operations.md')).toContain(`\n${line}\n`);
    const { stdout } = await run('bash', ['-c', line], { env: { ...process.env, API_KEY: 'a key' } });
    expect(stdout.split(' ')[0]).toBe(hashKey('a key').toString('hex'));
  });
});

/** Variables of Dockerfile.gpu for foreign programs. */
function dockerVariables(): string[] {
  return [...readFileSync(join(root, 'Dockerfile.gpu'), 'utf8').matchAll(/([A-Z_]+)=/g)].map(
    match => match[1],
  );
}

describe('The check of commands', () => {
  const commandsOf = (text: string) => shellCommands(text);

  it('runs a curl line against a server, with any address and key', async () => {
    const body = JSON.stringify({
      type: 'HISTORICAL',
      params: {
        collateral_weights: { BTC: 1 },
        loan_weights: { USD: 1 },
        analysis_date: '03-01-2024',
        model_lookback: 30,
        var_duration: [1],
        quantile: [0.95],
        loan_value: 1,
        collateral_value: 2,
      },
    });
    const line = `curl -s http://127.0.0.1:8080/var \\\n -H "x-api-key: $API_KEY" -H 'Content-Type: application/json' -d '${body}'`;
    await check(commandsOf(line)[0]);
    await expect(check(commandsOf(line.replace('"BTC":1', '"BTC":2'))[0])).rejects.toThrow(/422/);
  });

  it.each([
    'npm run no-such-script',
    'npm run market -- export data',
    'node scripts/no-such-file.mjs',
    'NO_SUCH_VARIABLE=1 npm start',
    'COMPUTE=cuda npm start',
    'docker build -f Dockerfile.none .',
    'docker run -e NO_SUCH_VARIABLE=1 image',
    'rm -rf /',
  ])('refuses: %s', async line => {
    await expect(check(commandsOf(line)[0])).rejects.toThrow();
  });

  it('parses lines like a shell', () => {
    const text = `# a comment\nA=1 B='x y' npm ci && npm start  # the rest\nprintf %s "a 'b'" | sha256sum\ncurl -d '{\n"N": 1}' \\\n  x\n`;
    expect(commandsOf(text).map(({ environment, words }) => [environment, words])).toEqual([
      [{ A: '1', B: "'x y'" }, ['npm', 'ci']],
      [{}, ['npm', 'start']],
      [{}, ['printf', '%s', "a 'b'"]],
      [{}, ['sha256sum']],
      [{}, ['curl', '-d', '{\n"N": 1}', 'x']],
    ]);
  });
});
