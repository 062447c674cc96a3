/** Several processes on one port: replaced one after another, and when one is killed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#src/server/config.js';
import { eventually } from '../../support/eventually.ts';
import { KEY } from '../../support/http-app.ts';
import { LOAN_RISK } from '../../support/request-bodies.ts';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const COUNT = 2;

interface Line {
  readonly msg: string;
  readonly process?: number;
}

let first: ChildProcess | undefined;
afterEach(() => {
  first?.kill('SIGKILL');
  first = undefined;
});

async function start(serving = (out: string, _err: string) => out.includes('http://127.0.0.1:')) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    COMPUTE: 'cpu',
    CPU_THREADS: '2',
    MARKET_DB: 'sample',
    // Long beside a request on any machine: each connection must have one while its process drains, to be told that it closes.
    DRAIN_SECONDS: '2',
    API_KEYS: KEY,
    PROCESSES: String(COUNT),
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  first = child;
  let out = '';
  let err = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  child.stderr.on('data', chunk => {
    err += chunk;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  const url = () => /http:\/\/127\.0\.0\.1:\d+/.exec(out + err)?.[0] ?? '';
  await eventually(() => serving(out, err) || child.exitCode !== null);
  expect(url(), err).not.toBe('');
  const lines = (): Line[] => {
    const whole = err.slice(0, err.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line) as Line);
  };
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url() + path, {
      ...init,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...init.headers },
    });
  const post = (headers: Record<string, string> = {}) =>
    ask('/loan_risk', { method: 'POST', body: JSON.stringify(LOAN_RISK), headers });
  /** A short line and a long one: the answer to the first says that the batch is in progress. */
  const batch = async () => {
    const line = (id: string, paths: number) =>
      JSON.stringify({
        ...{ id, path: '/loan_risk', compute: 'cpu' },
        body: { ...LOAN_RISK, params: { ...LOAN_RISK.params, mc_iter: paths } },
      });
    const { body } = await ask('/batch', {
      method: 'POST',
      body: `${line('short', 100)}\n${line('long', 20_000)}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    const begun = String(Buffer.from((await reader.read()).value ?? []));
    const rest = async () => {
      let text = '';
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += Buffer.from(part.value);
      return text;
    };
    return { begun, rest };
  };
  return { child, ended, lines, ask, post, batch };
}

/** Numbers of the processes that have said `msg`. */
const saying = (lines: readonly Line[], msg: string) =>
  lines.flatMap(line => (line.msg === msg && line.process !== undefined ? [line.process] : []));

/** Numbers of the server processes at the operating system. */
const childrenOf = ({ pid }: ChildProcess) =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

describe('Several processes', () => {
  it('continue when one is killed just before a message to it', async () => {
    const script = fileURLToPath(new URL('../../support/killed-process.mjs', import.meta.url));
    first = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    first.stdout?.on('data', chunk => {
      out += chunk;
    });
    const [code] = await once(first, 'close');
    expect([code, out]).toEqual([0, '1 ended, stopped']);
  });

  it('find a job on every server, count limits together, and answer /metrics while one has stalled', {
    tags: ['slow'],
  }, async () => {
    const { child, ended, lines, ask, post } = await start();
    const job = await post({ prefer: 'respond-async' });
    expect(job.status).toBe(202);
    const place = String(job.headers.get('location'));
    // Connections are handed to one process after the other.
    const close = { headers: { connection: 'close' } };
    for (let i = 0; i < 2 * COUNT; i++) expect((await ask(place, close)).status).toBe(200);
    await eventually(async () => (await ask(`${place}/result`, close)).status === 200);
    for (let i = 0; i < 3; i++) expect((await post({ connection: 'close' })).status).toBe(200);
    const figures = await (await ask('/metrics', close)).text();
    expect(figures).toContain(
      'risk_requests_total{operation="/loan_risk",methodology="GBM",engine="cpu",status="200"} 3\n',
    );
    expect(figures).toContain('\nrisk_ready 1\n');

    const [stalled] = childrenOf(child);
    process.kill(stalled, 'SIGSTOP');
    // One of two connections is handed to the process that has stalled.
    const cut = new AbortController();
    const both = [1, 2].map(() => ask('/metrics', { ...close, signal: cut.signal }));
    const text = await (await Promise.any(both)).text();
    cut.abort();
    await Promise.allSettled(both);
    const up = [...text.matchAll(/^risk_process_up\{process="\d"\} (\d)$/gm)].map(([, value]) => value);
    expect(up.sort()).toEqual(['0', '1']);
    expect(text).toContain('\nrisk_ready 1\n');
    expect(lines().filter(({ msg }) => msg === 'a process does not report its metrics')).toHaveLength(1);
    process.kill(stalled, 'SIGCONT');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('replace one that is killed, and are replaced under load without a request lost', {
    tags: ['slow'],
  }, async () => {
    const { child, ended, lines, post } = await start();
    const [victim] = childrenOf(child);
    process.kill(victim, 'SIGKILL');
    await eventually(() => saying(lines(), 'serving').length === COUNT + 1);
    expect(lines().some(({ msg }) => msg.startsWith('a process ended;'))).toBe(true);

    const statuses: number[] = [];
    let over = false;
    const callers = Array.from({ length: 3 }, async () => {
      while (!over) statuses.push((await post()).status);
    });
    await eventually(() => statuses.length > 5);
    child.kill('SIGUSR2');
    await eventually(() => lines().some(({ msg }) => msg === 'all processes were replaced'));
    const before = statuses.length;
    await eventually(() => statuses.length > before + 5);
    over = true;
    await Promise.all(callers);
    expect(statuses.filter(status => status !== 200)).toEqual([]);
    expect(saying(lines(), 'serving').sort()).toEqual([1, 2, 3, 4, 5]);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('stop in order while others still start', async () => {
    const { child, ended, lines, batch } = await start((_, err) => err.includes('"msg":"serving"'));
    const { begun, rest } = await batch();
    expect(begun).toContain('"status":200');
    child.kill('SIGTERM');
    expect(await rest()).toContain('{"done":2}');
    expect(await ended).toBe(0);
    expect(lines().map(({ msg }) => msg)).toContain('stopping: running requests are finished first');
  });

  it('stop while they are replaced, and do not say that all were', { tags: ['slow'] }, async () => {
    const { child, ended, lines } = await start();
    child.kill('SIGUSR2');
    const STOPPING = 'stopping: running requests are finished first';
    // The first one drains, and its successor serves.
    await eventually(() => saying(lines(), STOPPING).length === 1);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(saying(lines(), STOPPING).sort()).toEqual([1, 2, 3]);
    expect(lines().map(({ msg }) => msg)).not.toContain('all processes were replaced');
  });

  it('finish their requests where the one that leads has been killed', async () => {
    const { child, ended, lines, batch } = await start();
    const { begun, rest } = await batch();
    expect(begun).toContain('"status":200');
    child.kill('SIGKILL');
    expect(await rest()).toContain('{"done":2}');
    expect(await ended).toBe('SIGKILL');
    expect(saying(lines(), 'stopping: running requests are finished first').sort()).toEqual([1, 2]);
  });

  it('require configured keys', () => {
    expect(() => loadConfig({ PROCESSES: '2' })).toThrow('PROCESSES above 1 requires API_KEYS or KEYS_FILE');
    expect(loadConfig({ PROCESSES: '2', API_KEYS: KEY }).processes).toBe(2);
  });
});
