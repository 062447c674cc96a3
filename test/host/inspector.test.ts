import { expect, it } from 'vitest';
import { refuseInspector } from '#src/host/inspector.js';

it('SIGUSR1 has a listener that warns, in place of that of Node', () => {
  const before = process.listeners('SIGUSR1');
  const told: string[] = [];
  refuseInspector({ warn: text => told.push(text) });
  const added = process.listeners('SIGUSR1').filter(listener => !before.includes(listener));
  for (const listener of added) {
    listener('SIGUSR1');
    process.off('SIGUSR1', listener);
  }
  expect(told).toEqual(['SIGUSR1 is ignored: it does not open an inspector of this process']);
});
