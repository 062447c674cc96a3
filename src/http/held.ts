/**
 * What requests hold: bytes of bodies that are read and of answers that are not taken yet, connections. Bounded over all callers, and for
 * each.
 *
 * Must not know: what is held.
 */
import { RateLimited } from './problem.ts';

/** Most at the same time. */
export interface HeldBounds {
  readonly all: number;
  readonly perCaller: number;
}

export interface Held {
  /**
   * Counts an amount as held until the function returned is called.
   * @throws RateLimited where the caller, or all together, would hold more than the bound
   */
  hold(caller: string, amount: number): () => void;
  /** The same without a bound, for what is there already. */
  count(caller: string, amount: number): () => void;
  /** @throws RateLimited where the caller, or all together, hold the bound or more */
  refuseIfFull(caller: string): void;
}

const RETRY_SECONDS = 1;
/** What an amount is counted in. */
interface Unit {
  readonly name: string;
  readonly size: number;
}
export const MEBIBYTES: Unit = { name: 'MiB', size: 2 ** 20 };
export const CONNECTIONS: Unit = { name: 'connections', size: 1 };

/** @param what how a refusal calls what is held: `bodies`, `answers that are not read yet` */
export function createHeld(what: string, unit: Unit, { all, perCaller }: HeldBounds): Held {
  const byCaller = new Map<string, number>();
  let total = 0;

  function count(caller: string, amount: number): () => void {
    let held = true;
    total += amount;
    byCaller.set(caller, (byCaller.get(caller) ?? 0) + amount);
    return () => {
      if (!held) return;
      held = false;
      total -= amount;
      const left = (byCaller.get(caller) ?? 0) - amount;
      if (left > 0) byCaller.set(caller, left);
      else byCaller.delete(caller);
    };
  }

  function refuseAbove(caller: string, more: number): void {
    const own = byCaller.get(caller) ?? 0;
    if (own + more <= perCaller && total + more <= all) return;
    const [bound, whose] = own + more > perCaller ? [perCaller, 'the key'] : [all, 'all keys together'];
    throw new RateLimited(
      `The ${what} of ${whose} may take ${bound / unit.size} ${unit.name} at the same time; try again later.`,
      RETRY_SECONDS,
    );
  }

  return {
    count,
    hold(caller, amount) {
      refuseAbove(caller, amount);
      return count(caller, amount);
    },
    refuseIfFull: caller => refuseAbove(caller, 1),
  };
}
