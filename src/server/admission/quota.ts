/**
 * Amounts in use: bytes of bodies in memory, bytes of answers that are not sent yet, batches, connections. Bounded per caller and in
 * total: a caller may use half of what the others leave, so that no number of slow ones leaves nothing for the next.
 *
 * Must not know: what the amounts are of.
 */

import { RateLimited } from '../answers/problem.ts';
import { once } from './counters.ts';

/** The largest amounts in use at the same time. */
interface QuotaBounds {
  readonly all: number;
  readonly perCaller: number;
}

export type Quota = ReturnType<typeof createQuota>;

const RETRY_SECONDS = 1;

export interface GrowingAmount {
  /** @throws RateLimited where the caller would exceed its bound; what was counted before stays counted */
  grow(more: number): void;
  release(): void;
}

interface Unit {
  readonly name: string;
  readonly size: number;
}
export const MEBIBYTES: Unit = { name: 'MiB', size: 2 ** 20 };
export const CONNECTIONS: Unit = { name: 'connections', size: 1 };
export const BATCHES: Unit = { name: 'batches', size: 1 };

/** @param what the name of the amounts in a refusal: `bodies`, `answers that are not read yet` */
export function createQuota(what: string, unit: Unit, { all, perCaller }: QuotaBounds) {
  const byCaller = new Map<string, number>();
  let total = 0;

  function change(caller: string, difference: number): void {
    total += difference;
    const own = (byCaller.get(caller) ?? 0) + difference;
    if (own > 0) byCaller.set(caller, own);
    else byCaller.delete(caller);
  }

  /** Counts an amount without a bound until the returned function is called. */
  function add(caller: string, amount: number): () => void {
    change(caller, amount);
    return once(() => change(caller, -amount));
  }

  function refuseAbove(caller: string, more: number): void {
    const own = byCaller.get(caller) ?? 0;
    const half = (all - (total - own)) / 2;
    const bound = Math.min(perCaller, half);
    if (own + more <= bound) return;
    const why = half < perCaller ? ', which is half of what other keys leave' : '';
    throw new RateLimited(
      `The ${what} of the key may use ${Math.max(0, Math.floor(bound / unit.size))} ${unit.name} at the same time${why}; try again later.`,
      RETRY_SECONDS,
    );
  }

  return {
    add,
    /**
     * Counts an amount until the returned function is called.
     * @throws RateLimited where the caller would exceed its bound
     */
    reserve(caller: string, amount: number): () => void {
      refuseAbove(caller, amount);
      return add(caller, amount);
    },
    /** An amount that grows until it is released. */
    growing(caller: string): GrowingAmount {
      let amount = 0;
      return {
        grow(more) {
          refuseAbove(caller, more);
          change(caller, more);
          amount += more;
        },
        release() {
          change(caller, -amount);
          amount = 0;
        },
      };
    },
    /** @throws RateLimited where the caller has reached its bound */
    refuseIfFull: (caller: string) => refuseAbove(caller, 1),
  };
}
