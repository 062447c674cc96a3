import { describe, expect, it } from 'vitest';
import { descriptorLimit, mostConnections } from '#src/host/usable-descriptors.js';

describe('the connections within a limit of descriptors', () => {
  it.each([
    [256, 2, 144],
    [1024, 8, 876],
    [1024, 512, 16],
    [64, 1, 16],
    [Number.POSITIVE_INFINITY, 4, Number.POSITIVE_INFINITY],
  ])('are, with a limit of %d and %d threads, %d', (limit, threads, connections) => {
    expect(mostConnections(limit, threads)).toBe(connections);
  });

  it('follow from the limit of this process', () => {
    expect(descriptorLimit()).toBeGreaterThanOrEqual(64);
  });
});
