/** The MCP server by the official client: every tool is listed and called, on standard input and output and over HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUESTIONS } from '#src/question/questions.js';
import type { OperationPath } from '#src/question/request/paths.js';
import { EXAMPLES } from '#src/server/openapi/examples.js';
import { fencedBlocks, readDocument } from '../../docs/tools/examples.mjs';
import { withMember } from '../support/request-bodies.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const environment = { ...process.env, MARKET_DB: 'sample', COMPUTE: 'cpu', CPU_THREADS: '2' } as Record<
  string,
  string
>;
const TAPE = [
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours',
  'alpha,BTC,4,USD,150000,0.75,0.85,24',
  'beta,ETH,60,USD,100000,0.75,0.85,24',
].join('\n');

/** One for all tools: each would compile the schema of schemas again. */
const ajv = new Ajv2020({ strict: false });

let client: Client;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'mcp-'));
  client = new Client({ name: 'test', version: '0' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env: environment }),
  );
});
afterAll(async () => {
  await client?.close();
  rmSync(folder, { recursive: true });
});

/** The first example of a question, on few paths. */
function onPaths(operation: OperationPath, paths: number): Record<string, unknown> {
  const [value] = EXAMPLES[operation];
  return withMember(value, 'params' in value ? 'params.mc_iter' : 'mc_iter', paths);
}

interface Called {
  readonly isError?: boolean;
  readonly text: string;
}

async function call(name: string, input: Record<string, unknown>, of = client): Promise<Called> {
  const { content, isError } = await of.callTool({ name, arguments: input });
  return { text: (content as { text: string }[])[0].text, ...(isError === true && { isError }) };
}

describe('The MCP server', () => {
  it('has a tool for each question and three others, all of which only read', async () => {
    const { tools } = await client.listTools();
    const others = ['book_from_tape', 'prices', 'explain'];
    expect(tools.map(({ name }) => name)).toEqual([...QUESTIONS.map(each => each.path.slice(1)), ...others]);
    for (const { annotations, description, inputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true);
      expect(description).toMatch(/\.$/);
      expect(ajv.validateSchema(inputSchema)).toBe(true);
    }
  });

  it.each(QUESTIONS.map(({ path: operation }) => operation))(
    'answers %s shortly: figures, seed and the version',
    async operation => {
      const value = onPaths(operation, 100);
      const { tools } = await client.listTools();
      const { inputSchema } = tools.find(({ name }) => name === operation.slice(1)) as (typeof tools)[number];
      const input = { ...value, seed: 7, compute: 'cpu' };
      const validate = ajv.compile(inputSchema);
      expect(validate(input), JSON.stringify(validate.errors)).toBe(true);
      const { text, isError } = await call(operation.slice(1), input);
      expect(isError, text).toBeUndefined();
      expect(text).toMatch(new RegExp(`^${operation}: seed 7`));
      expect(text.split('\n').length).toBeGreaterThan(3);
      expect(text.length).toBeLessThan(12_000);
    },
  );

  it('gives a figure its unit and its interval', async () => {
    const { text } = await call('loan_risk', { ...onPaths('/loan_risk', 1000), compute: 'cpu' });
    expect(text).toMatch(/^PrCloseout: 0\.\d+ fraction, 95 % interval 0\.\d+ to 0\.\d+$/m);
  });

  it('refuses with every fault', async () => {
    const { text, isError } = await call('loan_risk', { type: 'GBM', params: { N: -1 } });
    expect(isError).toBe(true);
    expect(text).toContain('params.N: N must be above 0');
    expect(text).toContain('params.mc_iter: mc_iter is missing');
  });

  it.each([
    ['loan_risk', { seed: '7', compute: 5 }, ['seed', 'compute', 'type', 'params']],
    [
      'book_from_tape',
      { file: 7, arguments: ['BTC', 3], tape: '' },
      ['file', 'arguments.0', 'arguments.1', 'tape'],
    ],
    ['book_from_tape', { file: '--html=report.html', arguments: '--days=3' }, ['file', 'arguments']],
    ['prices', { symbols: 'BTC', date: 20240630 }, ['symbols', 'date']],
    ['prices', { symbols: ['BTC', '?'], date: 'today' }, ['symbols.1', 'date']],
    ['explain', { name: ['LTV'], term: 'LTV' }, ['name', 'term']],
  ])(
    'refuses a call of %s with every argument that its schema does not take: %j',
    async (name, input, faulty) => {
      const { tools } = await client.listTools();
      const { inputSchema } = tools.find(each => each.name === name) as (typeof tools)[number];
      expect(ajv.validate(inputSchema, input)).toBe(false);
      const { text, isError } = await call(name, input);
      expect(isError).toBe(true);
      const named = text
        .split('\n')
        .slice(1)
        .map(line => line.split(':')[0]);
      expect(named.sort()).toEqual([...faulty].sort());
    },
  );

  it('reads a tape, names its faulty cells, and writes no file', async () => {
    const file = path.join(folder, 'tape.csv');
    writeFileSync(file, TAPE);
    const options = ['--types=GBM', '--paths=100', '--days=7', '--no-stress', '--backtest-days=0'];
    const { text, isError } = await call('book_from_tape', { file, arguments: options });
    expect(isError, text).toBeUndefined();
    expect(text).toContain('2 loans');
    writeFileSync(file, TAPE.replace('150000', 'many'));
    expect(await call('book_from_tape', { file, arguments: options })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/tape\.csv:2: loan alpha, loan_amount: "many" is not a number/),
    });
    const written = path.join(folder, 'report.html');
    const { text: why } = await call('book_from_tape', { file, arguments: [`--html=${written}`] });
    expect(why).toContain('none that writes a file');
    expect(existsSync(written)).toBe(false);
  });

  it('has prices, and says what a figure means', async () => {
    const { text } = await call('prices', { symbols: ['BTC', 'ETH'], date: '06-30-2024' });
    expect(text).toMatch(/^Closes at 2024-07-01T00:00Z\nBTC: [\d.]+ USD\nETH: [\d.]+ USD$/);
    expect((await call('explain', { name: 'mc_top_up' })).text).toContain('Grace period from a margin call');
    expect((await call('explain', { name: 'LTV' })).text).toContain('loan to value: debt over the value');
    expect(await call('explain', { name: 'PrLiqidation' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('the nearest is PrLiquidation'),
    });
  });

  it('has the documents as resources', async () => {
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('docs://methodology.md');
    const { contents } = await client.readResource({ uri: 'docs://glossary.md' });
    expect((contents[0] as { text: string }).text).toMatch(/^# Glossary/);
    await expect(client.readResource({ uri: 'docs://../package.json' })).rejects.toThrow(
      'There is no resource',
    );
  });
});

describe('docs/agents.md', () => {
  const page = readDocument('docs/agents.md').split('<!-- calls -->')[1];
  const calls = fencedBlocks(page).map(({ content }) => content);

  it.each(calls)('has the answer of its call: %s', async content => {
    const [asked, ...answer] = content.trimEnd().split('\n');
    const [name] = asked.split(' ');
    const { text } = await call(name, JSON.parse(asked.slice(name.length)));
    expect(text.replace(/engine \S+/, 'engine ...')).toBe(answer.join('\n'));
  });

  it('has two', () => {
    expect(calls).toHaveLength(2);
  });
});

describe('The MCP server over HTTP', () => {
  it('answers callers with its key alone', async () => {
    const key = 'a-key-of-the-mcp-tests';
    const child = spawn(process.execPath, [PROGRAM, 'mcp', '--http', '0'], {
      env: { ...environment, MCP_KEY: key },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const [line] = (await once(child.stderr, 'data')) as [Buffer];
      const address = /http:\S+/.exec(line.toString())?.[0] as string;
      expect((await fetch(address, { method: 'POST' })).status).toBe(401);
      const over = new Client({ name: 'test', version: '0' });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await over.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
      const { text } = await call('prices', { symbols: ['BTC'], date: '06-30-2024' }, over);
      expect(text).toContain('BTC: ');
      await over.close();
    } finally {
      child.kill();
    }
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  });

  it('does not start without a key', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp', '--http', '0'], {
      env: environment,
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(2);
  });
});
