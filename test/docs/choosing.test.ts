/** One default for everybody: docs/choosing.md, the commands, the console and a tape over HTTP. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addBookCommand } from '#src/cli/book-command.js';
import { addStressCommand } from '#src/cli/stress-command.js';
import { headlineOf, levelOfParts, USUAL } from '#src/core/figures/usual.js';
import { headlineLevel } from '#src/desk/result.js';
import { saleCost, saleDelayHours } from '#src/question/request/fields.js';
import { readTapeQuery } from '#src/question/request/tape-query.js';
import { BOOK_FIELDS } from '../../console/src/book/book-fields.ts';
import { methodologiesOf } from '../../console/src/state/methodologies.ts';

const text = readFileSync(new URL('../../docs/choosing.md', import.meta.url), 'utf8');
const [, section] = text.split('## What is asked where nobody chooses');
const documented = new Map(
  [...section.split('\n## ')[0].matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name, value]) => [
    name,
    value,
  ]),
);

/** The defaults in the words of the document. */
const words = (of: {
  readonly type: string;
  readonly types: readonly string[];
  readonly lookback: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly days: number;
  readonly delay: number;
  readonly cost: number;
}) => ({
  'methodology of the headline': of.type,
  'methodologies of a report': of.types.join(', '),
  'lookback, days': String(of.lookback),
  paths: of.paths.toLocaleString('en-US'),
  levels: of.levels.join(', '),
  'horizon, days': String(of.days),
  'sale delay, hours': String(of.delay),
  'sale cost': String(of.cost),
});

const optionsOf = (add: typeof addBookCommand) => {
  const program = new Command('test');
  add(program, {}, [], { out: () => {}, err: () => {}, terminal: false });
  const { lookback, paths, levels, days, saleDelay, saleCost: cost, ...own } = program.commands[0].opts();
  return { lookback, paths, levels, days, delay: saleDelay, cost, ...own };
};

describe('What is asked where nobody chooses', () => {
  const expected = Object.fromEntries(documented);
  const { types } = USUAL;

  it('is the table of docs/choosing.md in the command book', () => {
    const { types: own, ...options } = optionsOf(addBookCommand) as never as Parameters<typeof words>[0];
    expect(words({ ...options, types: own, type: own[0] })).toEqual(expected);
  });

  it('is the same in the command stress, the console and a tape over HTTP', () => {
    const stress = optionsOf(addStressCommand) as never as Parameters<typeof words>[0];
    expect(words({ ...stress, types })).toEqual(expected);
    const { type, lookback, paths, quantiles, horizon, delay, cost } = BOOK_FIELDS;
    const numbers = { lookback: Number(lookback), paths: Number(paths), days: Number(horizon) };
    const form = { type, types, ...numbers, delay: Number(delay), cost: Number(cost) };
    expect(words({ ...form, levels: quantiles.split(',').map(Number) })).toEqual(expected);
    expect(methodologiesOf('book')[0]).toBe(types[0]);
    const tape = readTapeQuery(new URLSearchParams());
    if ('faults' in tape) throw new Error('there are faults');
    const { params, horizonDays } = tape.value;
    const sent = params as unknown as Record<string, number> & { readonly quantile: readonly number[] };
    const http = { type: tape.value.type, types, lookback: sent.model_lookback, paths: sent.mc_iter };
    const [delayOf, costOf] = [saleDelayHours.parse(undefined), saleCost.parse(undefined)];
    expect(
      words({ ...http, levels: sent.quantile, days: horizonDays, delay: delayOf, cost: costOf }),
    ).toEqual(expected);
  });
});

it.each([
  [[0.95, 0.99], 0.99],
  [[0.999, 0.99, 0.5], 0.99],
  [[0.95, 0.999], 0.95],
  [[0.995, 0.999], 0.995],
])('The headline of the levels %j has %d', (levels, expected) => {
  expect(headlineOf(levels)).toBe(expected);
  expect(headlineLevel({ Levels: levels })).toBe(String(expected));
});

it.each([
  [[0.95, 0.99], 20_000, 0.99],
  [[0.95, 0.99, 0.999], 1_000_000, 0.99],
  [[0.95, 0.99], 10_000, 0.99],
  [[0.95, 0.99], 9999, 0.95],
  [[0.9, 0.95, 0.99], 2000, 0.95],
  [[0.95, 0.99], 1000, undefined],
])('A table of parts at the levels %j of %d scenarios has %d', (levels, scenarios, expected) => {
  expect(levelOfParts(levels, scenarios)).toBe(expected);
});
