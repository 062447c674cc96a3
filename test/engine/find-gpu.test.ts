/** What the log says where no GPU is found. */
import { expect, it } from 'vitest';
import { logNoGpu } from '#src/engine/find-gpu.js';
import { collectLog } from '../support/log-lines.ts';

it('A container that is made for a GPU warns of the causes; any other host is told', () => {
  const { log, lines } = collectLog();
  for (const devices of [undefined, '', 'void', 'none', 'all', '0,1'])
    logNoGpu(log, 'no adapter', 'no GPU here', { NVIDIA_VISIBLE_DEVICES: devices });
  expect(lines.map(({ msg }) => msg)).toEqual([
    ...Array(4).fill('no GPU here'),
    ...Array(2).fill('no GPU in a container made for one: its processors serve'),
  ]);
  expect(lines[4].causes).toMatch(/Vulkan.*MIG.*graphics/);
});
