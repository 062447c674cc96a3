/** Runs tests in a process group of its own, which can be ended where they do not end by themselves. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('vitest-process.mjs', import.meta.url));

/** What `failed` says where vitest ended before its answer. */
export const ENDED = 'vitest was ended';

/** Starts vitest on a copy of the project. One serves for many runs; each run has a process of its own for its tests. */
export function startTests(copy) {
  const child = fork(PROGRAM, [], {
    cwd: copy,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
  };
  return {
    get ended() {
      return ended;
    },
    end,
    changed: path => child.send({ changed: path }),
    /** @returns {Promise<{ passed: boolean, failed?: string }>} `failed` names the test that failed, or how it ended */
    run(spec, limit) {
      return new Promise((resolve, reject) => {
        const settle = answer => {
          clearTimeout(timer);
          child.removeAllListeners('message').removeAllListeners('exit');
          if (answer.error === undefined) resolve(answer);
          else reject(new Error(answer.error));
        };
        const hangs = () => {
          end();
          settle({ passed: false, failed: 'does not end' });
        };
        const timer = Number.isFinite(limit) ? setTimeout(hangs, limit) : undefined;
        child.once('message', settle);
        child.once('exit', () => {
          end();
          settle({ passed: false, failed: ENDED });
        });
        child.send({ spec });
      });
    },
  };
}
