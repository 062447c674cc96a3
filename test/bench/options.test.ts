/** The command line of the bench. */
import { expect, it } from 'vitest';
import { ENGINES } from '../../bench/engines.ts';
import { isChosen } from '../../bench/options.ts';

const chosen = (...names: string[]) => ENGINES.map(({ name }) => name).filter(name => isChosen(name, names));

it('A whole name stands for itself alone, the beginning of one for all that have it', () => {
  expect(chosen('gpu')).toEqual(['gpu']);
  expect(chosen('gpu-s')).toEqual(['gpu-served', 'gpu-software']);
  expect(chosen('cpu').every(name => name.startsWith('cpu-'))).toBe(true);
  expect(chosen('cpu', 'gpu').at(-1)).toBe('gpu');
  expect(chosen()).toHaveLength(ENGINES.length);
});
