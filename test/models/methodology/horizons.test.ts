import { describe, expect, it } from 'vitest';
import { unresolvedHorizons } from '#src/models/methodology/horizons.js';

const horizons = (...days: number[]) =>
  days.map((each, i) => ({ path: `params.var_duration.${i}`, days: each }));

describe('horizons of HISTORICAL', () => {
  it('are refused where they round to no step of the grid', () => {
    expect(unresolvedHorizons(horizons(0.1, 1, 30), 24)).toMatchObject([
      {
        path: 'params.var_duration.0',
        message:
          'var_duration.0 must be at least half a step of the daily history of this portfolio, 0.5 days; got 0.1',
      },
    ]);
    expect(unresolvedHorizons(horizons(0.02), 1).map(({ path }) => path)).toEqual(['params.var_duration.0']);
  });

  it('are refused where two round to the same step, with the fault at the later one', () => {
    expect(unresolvedHorizons(horizons(1.2, 7, 0.9), 24)).toMatchObject([
      {
        path: 'params.var_duration.2',
        message:
          'var_duration.2 must differ from var_duration.0 by a step of the daily history of this portfolio; ' +
          'got 0.9 and 1.2, which both round to 1 day',
      },
    ]);
  });

  it('are all reported at once', () => {
    expect(unresolvedHorizons(horizons(0.1, 0.2, 1, 1.1), 24).map(({ path }) => path)).toEqual([
      'params.var_duration.0',
      'params.var_duration.1',
      'params.var_duration.3',
    ]);
  });

  it('are accepted where the grid distinguishes them', () => {
    expect(unresolvedHorizons(horizons(0.5, 1.5, 2.5, 30), 24)).toEqual([]);
    expect(unresolvedHorizons(horizons(0.1, 0.9, 1.2), 1)).toEqual([]);
  });
});
