/** Long loops let others have their turn. */
import { expect, it } from 'vitest';
import { inPieces } from '#src/market/store/in-pieces.js';

it.each([
  [1, []],
  [250, []],
  [251, [250]],
  [500, [250]],
  [501, [250, 500]],
])('Others have a turn after each 250 of %d items', async (count, turns) => {
  const seen: number[] = [];
  const turnedAt: number[] = [];
  let over = false;
  const turn = () => {
    if (over) return;
    turnedAt.push(seen.length);
    setImmediate(turn);
  };
  setImmediate(turn);
  await inPieces(Array(count).keys(), item => seen.push(item));
  over = true;
  expect(seen).toEqual([...Array(count).keys()]);
  expect(turnedAt).toEqual(turns);
});
