import { describe, expect, it } from 'vitest';
import { answeringWords, answerWord, isAnswered } from '#src/core/random/answers.js';
import { nameKey } from '#src/question/loan/under-way.js';
import known from '../../fixtures/answers/known_answers.json' with { type: 'json' };

type Row = readonly [string, number, number, number, number, number, number];

describe('the stream of answers', () => {
  it('has the words of a separate program', () => {
    for (const [name, high, low, seed, path, call, word] of known as unknown as readonly Row[]) {
      expect(nameKey(name)).toEqual([high, low]);
      expect(answerWord(seed, path, [high, low], call)).toBe(word);
    }
  });

  it('uses the SHA-256 of the empty text for a loan without a name', () => {
    expect(nameKey('')).toEqual([0xe3b0c442, 0x98fc1c14]);
  });

  it('answers no call for a share of 0, every call for 1, and its share of the words between', () => {
    const most = 2 ** 32 - 1;
    expect(isAnswered(0, answeringWords(0))).toBe(false);
    expect(isAnswered(most, answeringWords(1))).toBe(true);
    expect(isAnswered(2 ** 30 - 1, answeringWords(0.25))).toBe(true);
    expect(isAnswered(2 ** 30, answeringWords(0.25))).toBe(false);
    const words = Array.from({ length: 20_000 }, (_, path) => answerWord(7, path, nameKey(''), 1));
    const share = words.filter(word => isAnswered(word, answeringWords(0.3))).length / words.length;
    expect(Math.abs(share - 0.3)).toBeLessThan(4 * Math.sqrt((0.3 * 0.7) / words.length));
  });
});
