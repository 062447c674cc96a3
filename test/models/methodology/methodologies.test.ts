/** What the declarations of the methodologies say of each. */
import { expect, it } from 'vitest';
import { MODELS } from '#src/core/plan/models.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';

/** Its volatility is that of the index. */
const WITHOUT_SHOCK = 'GBM_VIX';

it.each(Object.values(METHODOLOGIES))(
  '$name takes a number of paths, and a shock of a volatility that it estimates, where it draws',
  ({ name, kind, draws, takesShock }) => {
    const isDrawn = MODELS[kind].drawn !== undefined;
    expect({ draws, takesShock }).toEqual({ draws: isDrawn, takesShock: isDrawn && name !== WITHOUT_SHOCK });
  },
);
