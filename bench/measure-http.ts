/**
 * Requests per second and latency over HTTP, against a real server process on the loopback.
 *
 * Takes: what the server shall compute on. Gives: rates and latencies of small and large requests. Before any load the
 * answer is checked: the three first passages by exact recursion from the volatilities in the answer itself. Under
 * load every body must be that answer, byte for byte.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { headers, PATH, post, refuseWrongAnswer, requestBody, STEPS } from './http-question.ts';
import { WrongAnswer } from './judge.ts';
import { projectFile } from './project.ts';
import { type Server, startServer } from './server.ts';
import { type Spread, spread } from './statistics.ts';

/** A load: the same request again and again. */
export interface Load {
  readonly name: string;
  readonly paths: number;
  readonly connections: number;
  readonly seconds: number;
}

export interface HttpRow extends Load {
  readonly server: string;
  readonly steps: number;
  readonly status: 'measured' | 'wrong' | 'failed';
  readonly message?: string;
  /** Of the load generator. */
  readonly requestsPerSecond?: number;
  readonly p50Milliseconds?: number;
  readonly p99Milliseconds?: number;
  readonly answered?: number;
  /** One request at a time on a server that has answered a load, from sending to the whole answer. */
  readonly aloneMilliseconds?: Spread;
}

/** Requests that are timed one at a time, after the load. */
const ALONE = 15;
const ALONE_SMALL = 200;

/** The loads that suit a server. */
export function loadsFor(server: Server['name'], quick: boolean): readonly Load[] {
  if (quick) return [{ name: 'small', paths: 1_000, connections: 2, seconds: 1 }];
  const small: Load = { name: 'small', paths: 1_000, connections: 8, seconds: 5 };
  const large = (paths: number): Load => ({ name: 'large', paths, connections: 2, seconds: 10 });
  if (server === 'cpu' || server === 'wasm' || server === 'simd') return [small, large(100_000)];
  if (server === 'gpu-software') return [small, large(20_000)];
  return [small, large(1_000_000), { name: 'largest', paths: 10_000_000, connections: 1, seconds: 10 }];
}

/** Puts every load on one server. */
export async function measureHttp(server: Server, loads: readonly Load[]): Promise<HttpRow[]> {
  const rows: HttpRow[] = [];
  try {
    const running = await startServer(server);
    for (const load of loads) rows.push(await measureLoad(running.url, server, load));
    await running.stop();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const missed = loads.slice(rows.length);
    rows.push(
      ...missed.map(load => ({
        ...load,
        server: server.name,
        steps: STEPS,
        status: 'failed' as const,
        message,
      })),
    );
  }
  return rows;
}

async function measureLoad(url: string, server: Server, load: Load): Promise<HttpRow> {
  const row = { server: server.name, steps: STEPS, ...load };
  const body = requestBody(load.paths);
  try {
    const text = await post(url, server, body);
    refuseWrongAnswer(text, load.paths);
    // The load comes first: a server that has answered little has not compiled what it runs.
    const pressed = await press(url, server, load, body, text);
    const alone: number[] = [];
    for (let i = 0; i < (load.name === 'small' ? ALONE_SMALL : ALONE); i++) {
      const start = performance.now();
      await post(url, server, body);
      alone.push(performance.now() - start);
    }
    return { ...row, status: 'measured', aloneMilliseconds: spread(alone), ...pressed };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...row, status: error instanceof WrongAnswer ? 'wrong' : 'failed', message };
  }
}

/** What the load generator says, as far as it is used. */
interface GeneratorReport {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p50: number; readonly p99: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly non2xx: number;
  readonly mismatches: number;
}

/** Loads the server from a process of its own. @throws WrongAnswer where one body differs from `expected` */
async function press(url: string, server: Server, load: Load, body: string, expected: string) {
  const sent = Object.entries(headers(server)).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const generator = spawn(
    process.execPath,
    [
      projectFile('node_modules/autocannon/autocannon.js'),
      ...['--json', '--no-progress', '-m', 'POST', '-t', '300'],
      ...['-c', String(load.connections), '-d', String(load.seconds), '-b', body, '-E', expected],
      ...sent,
      url + PATH,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  generator.stdout.on('data', chunk => {
    text += chunk;
  });
  const [code] = await once(generator, 'close');
  if (code !== 0) throw new Error(`The load generator ended with code ${code}.`);
  const report = JSON.parse(text) as GeneratorReport;
  const { errors, timeouts, non2xx, mismatches } = report;
  if (mismatches > 0) throw new WrongAnswer(`${mismatches} answers under load were other answers.`);
  if (errors + timeouts + non2xx > 0) {
    throw new Error(`Under load: ${errors} errors, ${timeouts} timeouts, ${non2xx} refusals.`);
  }
  return {
    requestsPerSecond: report.requests.average,
    answered: report.requests.total,
    p50Milliseconds: report.latency.p50,
    p99Milliseconds: report.latency.p99,
  };
}
