/** The socket of one of several server processes. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { newSocketPath } from '#src/server/processes/server-process.js';
import { listenForOthers } from '#src/server/transport/server.js';

it('A process with the id of a killed one has another socket, since that of the killed one is still there', async () => {
  const [left, next] = [newSocketPath(), newSocketPath()];
  const pattern = new RegExp(`^collateral-risk-engine-${process.pid}-[0-9a-f]{8}\\.sock$`);
  for (const path of [left, next]) {
    expect(path.slice(tmpdir().length + 1)).toMatch(pattern);
    // A socket has a path of 107 characters at most.
    expect(path.length - tmpdir().length).toBeLessThan(60);
  }
  const first = await listenForOthers(() => {}, left);
  await expect(listenForOthers(() => {}, left)).rejects.toThrow('EADDRINUSE');
  const second = await listenForOthers(() => {}, next);
  await Promise.all([first.drain(0), second.drain(0)]);
});
