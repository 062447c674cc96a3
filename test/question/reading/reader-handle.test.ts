/** The process that reads bodies, from the side of the server. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { ReaderHandle } from '#src/question/reading/reader-handle.js';

it('A reader has ended where its process has, by itself or by the server', async () => {
  for (const end of ['exit', 'server'] as const) {
    const reader = new ReaderHandle(64);
    const { child } = reader as unknown as { readonly child: ChildProcess };
    expect(reader.ended).toBe(false);
    const exit = once(child, 'exit');
    if (end === 'exit') child.kill();
    else reader.end();
    await exit;
    expect(reader.ended, end).toBe(true);
  }
});
