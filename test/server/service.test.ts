/** The server as a process: its banner, its refusals to start, and how it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import { eventually } from '../support/eventually.ts';

checkEveryAnswer();
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const ENVIRONMENT = {
  PORT: '0',
  COMPUTE: 'cpu',
  CPU_THREADS: '1',
  REQUEST_TIMEOUT_SECONDS: '3600',
  MARKET_DB: 'sample',
  LOG_LEVEL: 'info',
  DRAIN_SECONDS: '0',
};

interface Server {
  readonly process: ChildProcess;
  readonly output: { out: string; err: string };
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | string>;
}

const servers: Server[] = [];
afterEach(async () => {
  for (const { process, ended } of servers.splice(0)) {
    process.kill('SIGKILL');
    await ended;
  }
});

/** @param readLog false leaves the lines of the log in the pipe, as a reader does that has stalled */
function start(environment: Readonly<Record<string, string>> = {}, readLog = true): Server {
  const env = { PATH: process.env.PATH, ...ENVIRONMENT, ...environment };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', err: '' };
  child.stdout.on('data', chunk => {
    output.out += chunk;
  });
  if (readLog)
    child.stderr.on('data', chunk => {
      output.err += chunk;
    });
  const ended = once(child, readLog ? 'close' : 'exit').then(([code, signal]) => code ?? signal);
  const server = { process: child, output, ended };
  servers.push(server);
  return server;
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits for the whole banner and takes the request out of its curl line. */
async function tryLine({ output, ended }: Server) {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const pattern = /curl -s (\S+) -H "x-api-key: (\S+)" -H 'Content-Type: application\/json' -d '(.+)'/;
  await eventually(() => over || pattern.test(output.out));
  const found = pattern.exec(output.out);
  if (found === null) throw new Error(`the server ended: ${output.err}`);
  return { url: found[1], key: found[2], body: JSON.parse(found[3]) };
}

type Call = Awaited<ReturnType<typeof tryLine>>;

const call = ({ url, key, body }: Call, params = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ ...body, params: { ...body.params, ...params } }),
  });

/** Sends a question, and resolves with what will be its answer once the server has begun to read it. */
async function begin(
  { url, key, body }: Call,
  params: object,
): Promise<{ answer: Promise<IncomingMessage> }> {
  const sending = request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, expect: '100-continue' },
  });
  const answer = once(sending, 'response').then(([response]) => response as IncomingMessage);
  sending.flushHeaders();
  await once(sending, 'continue');
  sending.end(JSON.stringify({ ...body, params: { ...body.params, ...params } }));
  return { answer };
}

/** Expects a server to answer what runs at a signal, and to end with 0. */
async function expectToFinish(server: Server, line: Call, signal: NodeJS.Signals): Promise<void> {
  const { answer } = await begin(line, { mc_iter: 100_000 });
  server.process.kill(signal);
  const response = await answer;
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  response.resume();
  expect(await server.ended).toBe(0);
}

describe('The server', () => {
  it('serves the sample market without configuration, and the command of its banner works', async () => {
    const server = start();
    const line = await tryLine(server);
    const response = await call(line);
    const answer = await response.json();
    expect(response.status, JSON.stringify(answer)).toBe(200);
    expect(response.headers.get('x-market-data')).toBe('sample');
    expect(Object.keys(answer as object)).toEqual(['Arguments', 'Output', 'Risk engine version']);
    expect(server.output.out).toContain('sample');
    expect(server.output.out).toContain(`${new URL(line.url).origin}/#/loan?key=${line.key}\n`);
    expect(server.output.err).not.toContain(line.key);
    expect((await call({ ...line, key: 'wrong' })).status).toBe(401);
    const health = await fetch(new URL('/healthz', line.url));
    expect(await health.json()).toEqual({
      status: 'ok',
      version: (answer as Record<string, unknown>)['Risk engine version'],
      interface: expect.stringMatching(/^[0-9a-f]{12}$/),
      gpu: 'none',
      simd: { kernel: expect.any(String), lanes: expect.any(Number) },
      market: 'sample',
    });
    expect(server.output.err.split('\n').find(each => each.includes('"msg":"serving"'))).toMatch(
      /"version":"\d+\.\d+\.\d+\+[\w.]+","address":"http:\/\/127\.0\.0\.1:\d+","engine":"CPU: .+","market":"synthetic sample market/,
    );
  });

  it('shows no configured key, goes on after SIGUSR1, and finishes what runs on SIGTERM', {
    tags: ['slow'],
  }, async () => {
    const server = start({ API_KEYS: 'a-configured-key' });
    const { output } = server;
    const shown = await tryLine(server);
    expect(shown.key).toBe('$API_KEY');
    const line = { ...shown, key: 'a-configured-key' };
    expect((await call(line)).status).toBe(200);
    server.process.kill('SIGUSR1');
    await eventually(() => output.err.includes('SIGUSR1 is ignored'));
    expect((await call(line)).status).toBe(200);
    expect(output.err).not.toContain('Debugger');
    await expectToFinish(server, line, 'SIGTERM');
    expect(output.out + output.err).not.toContain('a-configured-key');
  });

  it('accepts requests after SIGTERM while it reports not ready to the load balancer', {
    tags: ['slow'],
  }, async () => {
    const server = start({ DRAIN_SECONDS: '600' });
    const line = await tryLine(server);
    const ready = () => fetch(new URL('/readyz', line.url));
    expect(await (await ready()).json()).toEqual({ status: 'ready', reasons: [] });
    server.process.kill('SIGTERM');
    let told = await ready();
    while (told.status === 200) told = await ready();
    expect(await told.json()).toEqual({ status: 'not ready', reasons: ['draining'] });
    const answer = await call(line);
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    expect((await fetch(new URL('/livez', line.url))).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(1);
  });

  it('ends at once on a second signal', { tags: ['slow'] }, async () => {
    const server = start({ MAX_WORK_CPU: '1e12' });
    const line = await tryLine(server);
    // Minutes of work on one thread: a server that finished it would answer and end with 0.
    const { answer } = await begin(line, { mc_iter: 5_000_000 });
    const lost = expect(answer).rejects.toThrow();
    server.process.kill('SIGINT');
    await eventually(() => server.output.err.includes('stopping: running requests are finished first'));
    server.process.kill('SIGINT');
    await lost;
    expect(await server.ended).toBe(1);
  });
});

describe('A server whose log is not read', () => {
  it('still answers, and finishes what runs on SIGHUP', { tags: ['slow'] }, async () => {
    const server = start({}, false);
    const line = await tryLine(server);
    // Some 600 KiB of log: more than a pipe or a socket holds.
    for (let i = 0; i < 40; i++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => fetch(new URL('/healthz', line.url))),
      );
      for (const answer of answers) expect(answer.status).toBe(200);
      await Promise.all(answers.map(answer => answer.text()));
    }
    await expectToFinish(server, line, 'SIGHUP');
  });
});

describe('A server whose standard output has no reader', () => {
  it('serves, warns, and stops on request', { tags: ['slow'] }, async () => {
    const server = start();
    server.process.stdout?.destroy();
    const { output } = server;
    await eventually(() => output.err.includes('the banner cannot be written to standard output'));
    const [, url] = /"address":"([^"]+)"/.exec(output.err) ?? [];
    expect((await fetch(new URL('/livez', url))).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});

describe('A server that waits for the store of its fleet at the start', () => {
  it('is alive and not ready on the port for probes', { tags: ['slow'] }, async () => {
    const [port, none] = [await freePort(), await freePort()];
    const { output } = start({
      REDIS_URL: `redis://127.0.0.1:${none}`,
      FLEET_NAME: 'waiting',
      HEALTH_PORT: String(port),
    });
    await eventually(() => output.err.includes('the store of the fleet does not answer'));
    const probe = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return [response.status, await response.json()];
    };
    expect(await probe('/livez')).toEqual([200, { status: 'alive' }]);
    expect(await probe('/readyz')).toEqual([503, { status: 'not ready', reasons: ['starting'] }]);
  });
});

describe('A server that cannot start', () => {
  it('reports every fault of its configuration and ends with 1', { tags: ['slow'] }, async () => {
    const server = start({ PORT: 'web', COMPUTE: 'cuda', API_KEYS: 'not a key' });
    expect(await server.ended).toBe(1);
    expect(server.output).toEqual({
      out: '',
      err:
        'collateral-risk-engine did not start. The configuration is not valid.\n' +
        'PORT must be a whole number from 0 to 65535; got "web"\n' +
        'API_KEYS must be keys of 16 to 256 visible ASCII characters; got something else at entry 1\n' +
        'COMPUTE must be one of auto, gpu, cpu; got "cuda"\n',
    });
  });

  it('reports that its port is taken', { tags: ['slow'] }, async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as { port: number };
    const server = start({ PORT: String(port), LOG_LEVEL: 'silent' });
    expect(await server.ended).toBe(1);
    expect(server.output.err).toBe(
      `collateral-risk-engine did not start. Cannot listen on 127.0.0.1:${port}: the port is taken; set PORT to another.\n`,
    );
    holder.close();
  });

  it('reports a missing market store with the remedy, instead of serving synthetic prices', {
    tags: ['slow'],
  }, async () => {
    const server = start({ MARKET_DB: '/no/such/store', LOG_LEVEL: 'silent' });
    expect(await server.ended).toBe(1);
    expect(server.output).toEqual({
      out: '',
      err:
        'collateral-risk-engine did not start. MARKET_DB names /no/such/store, where there is no market store. ' +
        'Make it with `node dist/cli/main.js market import <file or folder>` under the same MARKET_DB, name another, ' +
        'or set MARKET_DB=sample to serve made-up prices.\n',
    });
  });

  it('names the given host where it does not exist', { tags: ['slow'] }, async () => {
    const server = start({ HOST: 'nope.invalid', PORT: '8123', LOG_LEVEL: 'silent' });
    expect(await server.ended).toBe(1);
    expect(server.output.err).toMatch(
      /^collateral-risk-engine did not start\. Cannot listen on nope\.invalid:8123: the host name .+\.\n$/,
    );
  });

  it('refuses a folder that is not a market store', { tags: ['slow'] }, async () => {
    const server = start({ MARKET_DB: MAIN, LOG_LEVEL: 'silent' });
    expect(await server.ended).toBe(1);
    expect(server.output.out).toBe('');
    expect(server.output.err).toMatch(/^collateral-risk-engine did not start\. .+\n$/);
    expect(server.output.err).not.toMatch(/\n\s+at /);
  });
});
