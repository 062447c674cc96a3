/** Runs tests in a process group of its own, which can be ended where they do not end by themselves. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('vitest-process.mjs', import.meta.url));

/** How often the time of a run is looked at, and what lies between two looks at least where this process was suspended. */
const TICK_MILLISECONDS = 1000;
const SUSPENDED_MILLISECONDS = 10_000;

/**
 * What became of tests.
 *
 * - `passed`: at least one test ran and passed, and none failed.
 * - `failed`: a test failed, by what it expects (`asserted`) or by another error; `pattern` finds it in its file.
 * - `hangs`: the limit came before the end.
 * - `unclear`: no test failed, but a file or hook did, or vitest was ended.
 *
 * @typedef {{ readonly outcome: 'passed' }} Passed
 * @typedef {{ readonly outcome: 'failed', readonly file: string, readonly test: string, readonly pattern: string, readonly asserted: boolean, readonly message: string }} Failed
 * @typedef {{ readonly outcome: 'hangs' }} Hangs
 * @typedef {{ readonly outcome: 'unclear', readonly message: string }} Unclear
 * @typedef {Passed | Failed | Hangs | Unclear} Answer
 */

/** Starts vitest on a copy of the project. One serves for many runs; each file of tests has a process of its own. */
function startVitest(copy) {
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
    /**
     * @param {number} limit milliseconds, without those in which this process was suspended
     * @returns {Promise<Answer & { readonly suspended: boolean }>}
     */
    run(spec, limit) {
      return new Promise(resolve => {
        let seen = performance.now();
        let used = 0;
        let suspended = false;
        const look = () => {
          const passed = performance.now() - seen;
          seen += passed;
          if (passed > SUSPENDED_MILLISECONDS) suspended = true;
          else used += passed;
        };
        const settle = answer => {
          look();
          clearInterval(timer);
          child.removeAllListeners('message').removeAllListeners('exit');
          resolve({ ...answer, suspended });
        };
        const timer = setInterval(() => {
          look();
          if (used <= limit) return;
          end();
          settle({ outcome: 'hangs' });
        }, TICK_MILLISECONDS);
        child.once('message', settle);
        child.once('exit', () => {
          end();
          settle({ outcome: 'unclear', message: 'vitest was ended' });
        });
        child.send({ spec });
      });
    },
  };
}

/** Tests of a copy of the project, in a vitest that is started when it is needed, and again where it was ended. */
export function testsOf(copy) {
  let vitest;
  return {
    /**
     * Tests in whose time this process was suspended run again where they did not pass: their own deadlines may have gone by.
     *
     * @param {string} spec a path, and perhaps ` -t ` and a part of the tests' names
     * @param {number} limit milliseconds
     * @returns {Promise<Answer>}
     */
    async run(spec, limit) {
      for (;;) {
        vitest ??= startVitest(copy);
        const { suspended, ...answer } = await vitest.run(spec, limit);
        if (vitest.ended) vitest = undefined;
        if (answer.outcome === 'passed' || !suspended) return answer;
      }
    },
    changed: path => vitest?.changed(path),
    end: () => vitest?.end(),
  };
}
