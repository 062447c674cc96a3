/**
 * The random numbers of a path: docs/decisions/random-numbers.md.
 *
 * Takes: seed, number of the path, and what is drawn. Gives: words and normals, as every engine draws them.
 */
import { BLOCK_STEPS, WordStream } from '../random/stream.ts';
import { threefry4x32 } from '../random/threefry.ts';

const WORDS = 2 ** 32;
/** Key words of the streams beside the normals: "extr" and "answ" in ASCII. */
const DAYS_AND_ROWS = 0x65787472;
const ANSWERS = 0x616e7377;

/** The words of a step, counted from 0, and a pair of assets: radius and angle. @param pair assets 2 pair and 2 pair + 1 */
export function wordsOfStep(seed: number, path: number, pair: number, step: number): [number, number] {
  return wordsOfBlock(seed, path, pair, Math.floor(step / BLOCK_STEPS))[step % BLOCK_STEPS];
}

/** The words of the steps of a block: docs/decisions/random-numbers.md, "Words". */
function wordsOfBlock(seed: number, path: number, pair: number, block: number): [number, number][] {
  const stream = new WordStream(seed, path, pair, block);
  return Array.from({ length: BLOCK_STEPS }, () => [stream.next(), stream.next()]);
}

/** The normals of two words, for assets 2k and 2k + 1: docs/decisions/random-numbers.md, "Normals". */
function normalsOfWords([w0, w1]: readonly [number, number]): [number, number] {
  // ln u where u is small, ln(1 - v) where it is near 1.
  const v = (WORDS - w0 - 0.5) / WORDS;
  const logOfU = w0 < WORDS / 2 ? Math.log((w0 + 0.5) / WORDS) : Math.log1p(-v);
  const r = Math.sqrt(-2 * logOfU);
  const angle = (2 * Math.PI * w1) / WORDS;
  return [r * Math.cos(angle), r * Math.sin(angle)];
}

/** The normal of a step, counted from 0, and an asset. */
export function normalOf(seed: number, path: number, step: number, asset: number): number {
  return normalsOfWords(wordsOfStep(seed, path, Math.floor(asset / 2), step))[asset % 2];
}

/** The normals of a path: entry [step][asset] is `normalOf`. */
export function normalsOfPath(seed: number, path: number, steps: number, assets: number): number[][] {
  const normals = Array.from({ length: steps }, () => new Array<number>(assets).fill(0));
  for (let pair = 0; 2 * pair < assets; pair++)
    for (let first = 0; first < steps; first += BLOCK_STEPS) {
      const words = wordsOfBlock(seed, path, pair, first / BLOCK_STEPS);
      for (let step = first; step < Math.min(steps, first + BLOCK_STEPS); step++) {
        const [even, odd] = normalsOfWords(words[step - first]);
        normals[step][2 * pair] = even;
        if (2 * pair + 1 < assets) normals[step][2 * pair + 1] = odd;
      }
    }
  return normals;
}

/** Word `k` of a path of the models that draw days and rows: docs/decisions/random-numbers.md, "Days and rows". */
export function wordOfDayOrRow(seed: number, path: number, k: number): number {
  return threefry4x32([path, Math.floor(k / 4), 0, 0], [seed, DAYS_AND_ROWS, 0, 0])[k % 4];
}

/** The uniform that decides whether a call is answered: docs/decisions/random-numbers.md, "Answers". @param call 0 for one open at the start, then 1, 2 ... */
export function uniformOfCall(
  seed: number,
  path: number,
  { nameHigh, nameLow }: { readonly nameHigh: number; readonly nameLow: number },
  call: number,
): number {
  return threefry4x32([path, call, nameHigh, nameLow], [seed, ANSWERS, 0, 0])[0] / WORDS;
}
