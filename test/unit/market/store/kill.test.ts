/**
 * Killing an import at a random moment: the store opens afterwards and holds whole imports only.
 *
 * MARKET_KILLS sets the number of imports; `MARKET_KILLS=1000` is the long form.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/market-files.ts';
import { closingValues, killedImportScript, writeImport } from '../../../support/market-kill.ts';

const KILLS = Number(process.env.MARKET_KILLS ?? 12);

it(
  `leaves whole imports only, after ${KILLS} kills`,
  async () => {
    const folder = temporaryFolder();
    const store = join(folder, 'market');
    let seed = 12_345;
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return seed / 2 ** 32;
    };
    let killed = 0;
    let committed = 0;
    let longestMs = 0;
    for (let number = 1; number <= KILLS; number++) {
      const before = existsSync(join(store, 'CURRENT')) ? await closingValues(store) : [];
      const files = writeImport(join(folder, `import-${number}`), number);
      const child = spawn(process.execPath, ['--input-type=module', '-e', killedImportScript(store, files)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      // The program is loaded; what follows is the import alone.
      await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), ended]);
      const begun = performance.now();
      // The first one ends by itself and shows how long an import takes here.
      const timer =
        number === 1 ? undefined : setTimeout(() => child.kill('SIGKILL'), random() * 1.4 * longestMs);
      const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null];
      clearTimeout(timer);
      if (signal === 'SIGKILL') killed++;
      else {
        expect(code).toBe(0);
        if (number === 1) longestMs = performance.now() - begun;
      }
      const after = existsSync(join(store, 'CURRENT')) ? await closingValues(store) : [];
      // Three series, each of one value per import: all of this import, or nothing of it.
      const whole = [0, 1, 2].map(() => [...(before[0] ?? []), number]);
      if (JSON.stringify(after) === JSON.stringify(whole)) committed++;
      else expect(after, `import ${number}, ${signal}`).toEqual(before);
    }
    console.log(`${KILLS} imports: ${killed} killed, ${committed} committed`);
    expect(killed).toBeGreaterThan(0);
    expect(committed).toBeGreaterThan(0);
  },
  60_000 + KILLS * 10_000,
);
