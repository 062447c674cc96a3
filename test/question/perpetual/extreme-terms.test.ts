/** Terms of perpetuals at the ends of the range of doubles: finite figures, or a refusal with its reason. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { strictJson } from '#src/server/answers/serialize.js';
import { type Operations, openOperations } from '../../support/operations.ts';

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});

const LINEAR = {
  model: 'GBM',
  market: 'BTC',
  model_lookback: 30,
  mc_iter: 5,
  trade_duration_hours: 24,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 50_000,
  initial_margin: 10_000,
  position_size: 2,
  contract_size: 1,
  funding_rate: 0.0001,
  funding_interval_hour: 8,
};
const { contract_size: _, ...rest } = LINEAR;
const INVERSE = { ...rest, contract_type: 'inverse', contract_value_usd: 100, initial_margin: 0.01 };

/** The faults of a body; none where it is answered, with figures that are all numbers. */
async function faultsOf(body: object): Promise<readonly { path: string; message: string }[]> {
  try {
    strictJson((await operations.answer(PERPETUAL_QUESTION, body)).result);
    return [];
  } catch (error) {
    if (error instanceof RiskError && error.reason === 'invalid-request' && error.faults.length > 0)
      return error.faults;
    throw error;
  }
}

describe('A perpetual whose figures do not fit into doubles', () => {
  it('is refused at its initial margin, with the least accepted margin', async () => {
    const body = { ...LINEAR, initial_margin: 1e-300, unrealized_pnl: 1e10 };
    const [fault, ...more] = await faultsOf(body);
    expect(more).toEqual([]);
    expect(fault.path).toBe('initial_margin');
    expect(fault.message).toMatch(
      /^initial_margin is 1e-300, and Roi is a multiple of it: beside amounts of/,
    );
    const least = Number(/at least (\S+) for/.exec(fault.message)?.[1]);
    // Roi is at most exp(700) after a rise by exp(32); the notional at the mark is the largest amount.
    expect(least / ((1e10 + 100_000) * Math.exp(-668))).toBeCloseTo(1, 10);
    expect(await faultsOf({ ...body, initial_margin: least })).toEqual([]);
    expect(await faultsOf({ ...body, initial_margin: 0.99 * least })).toHaveLength(1);
  });

  it.each([
    [
      'position_size',
      'a size that rounds to nothing',
      { ...LINEAR, position_size: 1e-200, contract_size: 1e-200 },
    ],
    ['position_size', 'a size of few digits', { ...LINEAR, position_size: 1e-310 }],
    ['position_size', 'an inverse size of few digits', { ...INVERSE, position_size: 1e-310 }],
    ['position_size', 'a size of few digits at a high price', { ...LINEAR, position_size: 5e-291 }],
    [
      'unrealized_pnl',
      'a mark price without room above it',
      { ...LINEAR, position_size: 1e-285, initial_margin: 1e14, unrealized_pnl: 1e10 },
    ],
    [
      'trade_duration_hours',
      'an inverse position in prices that can fall a long way',
      {
        ...INVERSE,
        position_size: 1e13,
        unrealized_pnl: 1e10,
        initial_margin: 1e-120,
        volatility_shock: 100,
        trade_duration_hours: 1500,
      },
    ],
  ])('is refused at %s for %s', async (path, _name, body) => {
    const faults = await faultsOf(body);
    expect(faults.map(fault => fault.path)).toEqual([path]);
    expect(faults[0].message).toMatch(new RegExp(`^${path} is \\S+`));
  });

  it('is refused, or answered with finite figures, for any members', async () => {
    const ofAnySize = (largest: number) =>
      fc.oneof(
        fc.double({ min: -323.3, max: Math.log10(largest) }).map(exponent => 10 ** exponent),
        fc.constantFrom(5e-324, 1e-310, 1e-290, 1e-6, 1, 1e6, largest),
      );
    const sign = fc.constantFrom(-1, 1);
    const terms = fc.record({
      contract_type: fc.constantFrom('linear', 'inverse'),
      entry_price: fc.double({ min: -6, max: 15 }).map(exponent => Math.max(1e-6, 10 ** exponent)),
      position_size: fc.tuple(ofAnySize(1e15), sign).map(([size, side]) => size * side),
      unit: ofAnySize(1e15),
      // Margin and PnL as multiples of the notional, or of any size.
      margin: fc.oneof(fc.record({ multiple: fc.constantFrom(0.01, 0.5, 10, 1e5) }), ofAnySize(1e15)),
      pnl: fc.oneof(
        fc.constant(0),
        fc.record({ multiple: fc.constantFrom(0.01, -0.009, 0.999_999, 5, 1e5) }),
        fc.tuple(ofAnySize(1e15), sign).map(([size, side]) => size * side),
      ),
      funding_rate: fc.constantFrom(0, 0.0001, -0.999_999, 0.999_999),
      funding_interval_hour: fc.constantFrom(1e-6, 1, 8),
      volatility_shock: fc.constantFrom(0, 9, 100),
      trade_duration_hours: fc.constantFrom(3, 24, 1500),
    });
    const seen = { answered: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(terms, async ({ unit, margin, pnl, ...members }) => {
        const linear = members.contract_type === 'linear';
        const quantity = Math.abs(members.position_size * unit);
        const notional = linear ? quantity * members.entry_price : quantity / members.entry_price;
        const amount = (drawn: number | { multiple: number }) =>
          typeof drawn === 'number' ? drawn : Math.min(1e15, drawn.multiple * notional);
        const { contract_size: _unused, ...common } = LINEAR;
        const body = {
          ...common,
          ...members,
          [linear ? 'contract_size' : 'contract_value_usd']: unit,
          initial_margin: Math.max(5e-324, amount(margin)),
          unrealized_pnl: amount(pnl),
        };
        const faults = await faultsOf(body);
        seen[faults.length === 0 ? 'answered' : 'refused']++;
      }),
      { numRuns: 400 },
    );
    expect(Math.min(seen.answered, seen.refused), JSON.stringify(seen)).toBeGreaterThan(40);
  });
});
