/** Runs files of tests in a process group of its own, which can be ended where they do not end by themselves. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('vitest-process.mjs', import.meta.url));

/**
 * @param {string} folder of the project whose tests run
 * @param {string} tags filter of tests, as of `vitest --tags-filter`
 */
export function runnerOf(folder, tags) {
  let child;
  function end() {
    if (child === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended already.
    }
    child = undefined;
  }
  async function start() {
    child = fork(PROGRAM, {
      cwd: folder,
      // Its set-up would build the mutant again, and what is beside it.
      env: { ...process.env, TEST_BUILD: 'none', TEST_TAGS: tags },
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
  }
  return {
    end,
    /** @returns {Promise<import('./judge.mjs').Answer>} */
    async run(files, milliseconds) {
      if (child === undefined) await start();
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(), milliseconds);
      try {
        const exit = once(child, 'exit', { signal: over.signal }).then(() => {
          child = undefined;
          return [{ file: files[0], message: 'vitest was ended' }];
        });
        const answer = once(child, 'message', { signal: over.signal });
        child.send(files);
        const [first] = await Promise.race([answer, exit]);
        return first;
      } catch (error) {
        if (error.name !== 'AbortError') throw error;
        end();
        return { file: files[0], hangs: true, message: `does not end in ${milliseconds / 1000} s` };
      } finally {
        clearTimeout(timer);
        over.abort();
      }
    },
  };
}
