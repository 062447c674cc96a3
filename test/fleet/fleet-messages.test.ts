/** Plans as the bytes of messages. */
import { expect, it } from 'vitest';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { packPlan, unpackPlan } from '#src/fleet/fleet-messages.js';
import { fleetPlan } from '../support/fleet-plans.ts';
import { randomBook } from '../support/random-books.ts';

/** Columns of more entries than a short list of MessagePack has. */
const LONG: SimulationPlan = randomBook(3, 10, { assets: 4, loans: 2 ** 16 + 7, baskets: 20, term: 100 });

it.each(Object.entries({ long: LONG, short: fleetPlan('loan', 8) }))(
  'A %s plan is the same after it was packed and unpacked',
  (_, plan) => expect(unpackPlan(packPlan(plan))).toEqual(plan),
);
