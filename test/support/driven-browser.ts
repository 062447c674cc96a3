/**
 * Firefox and WebKit of the system, driven by WebDriver: WebKit by the HTTP of its driver, Firefox by its own port, Marionette, on which
 * geckodriver sends the same commands. Chromium has a library (bench/console/browser.ts). What is not installed is absent, and its
 * tests skip visibly.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A browser with one page. */
export interface DrivenBrowser {
  /** Loads an address anew. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page, which may be a promise; it must be JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** Asks again and again until a condition in the page holds. */
  until(condition: string): Promise<void>;
  /** The page as PDF on A4; undefined where the driver does not print. */
  readonly print?: () => Promise<Buffer>;
  /** Errors of scripts and of the policy since the page was loaded. */
  errors(): Promise<readonly string[]>;
  /** Ends the browser, even one that answers nothing. */
  close(): Promise<void>;
}

/** The driver of a browser answers nothing any more: no fault of the page. */
export class SilentBrowser extends Error {
  override name = 'SilentBrowser';
}

/** How commands of WebDriver reach a browser. */
interface Transport {
  navigate(url: string): Promise<unknown>;
  /** Runs a script that calls its last argument with a result. */
  execute(script: string): Promise<unknown>;
  /** A4 in base64. */
  readonly print?: () => Promise<string>;
  close(): Promise<void>;
}

/** No command of the tests takes longer, on a busy machine either: what takes long is asked for again and again (`until`). */
const LONGEST = 120_000;
const TIMEOUTS = { script: LONGEST, pageLoad: LONGEST };
const PAUSE = 50;
/** A4 in centimetres. */
const PRINT = { page: { width: 21, height: 29.7 }, background: true };

function drivenBy({ navigate, execute, print, close }: Transport): DrivenBrowser {
  const evaluate = async <T>(expression: string): Promise<T> => {
    const answer = (await execute(`const done = arguments[arguments.length - 1];
      (async () => JSON.stringify(await (${expression})))().then(
        text => done({ text }), error => done({ error: String(error) }));`)) as {
      text?: string;
      error?: string;
    };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.text === undefined ? (undefined as T) : (JSON.parse(answer.text) as T);
  };
  return {
    async open(url) {
      // From another page: an address that differs behind the # alone loads nothing.
      await navigate('about:blank');
      await navigate(url);
      // WebDriver tells no errors: the page keeps them itself.
      await evaluate(`(window.faults = [],
        addEventListener('error', event => faults.push(event.message)),
        addEventListener('unhandledrejection', event => faults.push(String(event.reason))),
        addEventListener('securitypolicyviolation', event => faults.push(event.violatedDirective)), true)`);
    },
    evaluate,
    async until(condition) {
      while (!(await evaluate<boolean>(condition))) await new Promise(resolve => setTimeout(resolve, PAUSE));
    },
    ...(print && { print: async () => Buffer.from(await print(), 'base64') }),
    errors: () => evaluate('window.faults'),
    close,
  };
}

/** Ends a program, with all that it started, and waits for it. It was started with a process group of its own. */
async function end(program: ChildProcess): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const exit = once(program, 'exit');
  process.kill(-program.pid, 'SIGKILL');
  await exit;
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** What a program that starts gives, once it does. */
async function started<T>(program: ChildProcess, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (program.exitCode !== null) throw error;
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }
}

async function openFirefox(file: string): Promise<DrivenBrowser> {
  const profile = mkdtempSync(path.join(tmpdir(), 'firefox-'));
  const port = await freePort();
  writeFileSync(path.join(profile, 'user.js'), `user_pref('marionette.port', ${port});\n`);
  const firefox = spawn(file, ['--headless', '--no-remote', '--profile', profile, '--marionette'], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, HOME: profile },
  });
  const socket = await started(firefox, async () => {
    const found = connect(port, '127.0.0.1');
    await once(found, 'connect');
    return found;
  });
  const call = marionette(socket);
  await call('WebDriver:NewSession', { capabilities: { alwaysMatch: { timeouts: TIMEOUTS } } });
  await call('WebDriver:SetWindowRect', { width: 1280, height: 960 });
  return drivenBy({
    navigate: url => call('WebDriver:Navigate', { url }),
    execute: script => call('WebDriver:ExecuteAsyncScript', { script, args: [] }),
    print: async () => String(await call('WebDriver:Print', PRINT)),
    async close() {
      socket.destroy();
      await end(firefox);
      rmSync(profile, { recursive: true, force: true });
    },
  });
}

/** Commands on Marionette: the length of a message in bytes, a colon, and `[0, id, name, parameters]` or `[1, id, error, result]`. */
function marionette(socket: Socket): (name: string, parameters: object) => Promise<unknown> {
  const waiting = new Map<number, (answer: [number, number, { message: string } | null, unknown]) => void>();
  let received = Buffer.alloc(0);
  socket.on('data', part => {
    received = Buffer.concat([received, part]);
    for (;;) {
      const colon = received.indexOf(':');
      const end = colon + 1 + Number(received.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      // The first is a greeting.
      if (Array.isArray(message)) waiting.get(message[1])?.(message as never);
    }
  });
  let sent = 0;
  return async (name, parameters) => {
    const id = ++sent;
    const answered = new Promise<[number, number, { message: string } | null, unknown]>(resolve =>
      waiting.set(id, resolve),
    );
    const text = JSON.stringify([0, id, name, parameters]);
    socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , error, result] = await answered;
    waiting.delete(id);
    if (error !== null) throw new Error(`${name}: ${error.message}`);
    return (result as { value?: unknown } | null)?.value;
  };
}

async function openWebKit(file: string): Promise<DrivenBrowser> {
  const port = await freePort();
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x960x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const number = String((await once(display.stdout, 'data'))[0]).trim();
  const driver = spawn(file, [`--port=${port}`, '--host=127.0.0.1'], {
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, DISPLAY: `:${number}`, GDK_BACKEND: 'x11' },
  });
  const call = async <T>(method: string, at: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${at}`, {
      method,
      signal: AbortSignal.timeout(2 * LONGEST),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: Error) => {
      throw cause.name === 'TimeoutError' ? new SilentBrowser(`${at}: no answer`, { cause }) : cause;
    });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${at}: ${value?.error}: ${value?.message}`);
    return value;
  };
  await started(driver, () => call('GET', '/status'));
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: { alwaysMatch: { timeouts: TIMEOUTS } },
  });
  const at = `/session/${sessionId}`;
  return drivenBy({
    navigate: url => call('POST', `${at}/url`, { url }),
    execute: script => call('POST', `${at}/execute/async`, { script, args: [] }),
    async close() {
      await end(driver);
      await end(display);
    },
  });
}

const [FIREFOX, WEBKIT, XVFB] = ['/usr/bin/firefox-esr', '/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'];

/** By name: how each is opened; undefined where it is not installed. */
export const OTHER_BROWSERS: Readonly<Record<string, (() => Promise<DrivenBrowser>) | undefined>> = {
  Firefox: existsSync(FIREFOX) ? () => openFirefox(FIREFOX) : undefined,
  WebKit: existsSync(WEBKIT) && existsSync(XVFB) ? () => openWebKit(WEBKIT) : undefined,
};
