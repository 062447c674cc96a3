/**
 * The use of each key by day and month (UTC): its questions and their asset-steps, and the quotas on these.
 *
 * Must not know: where keys come from, how counts are stored, HTTP.
 */
import type { KnownKey } from '../keys/key-ring.ts';
import type { Amount, Counters } from './counters.ts';

const DAY_SECONDS = 86_400;

/** A span of the calendar by which use is counted. */
interface Period {
  /** Beginning of the span that is so many spans after that of a moment, ms. */
  begin(moment: Date, further: number): number;
  /** Time for which a total is kept. */
  readonly keepSeconds: number;
  /** Asset-steps that the key may ask for; no limit where undefined. */
  limitOf(key: KnownKey): number | undefined;
}

export const PERIODS = {
  day: {
    begin: (moment, further) =>
      Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + further),
    keepSeconds: 2 * DAY_SECONDS,
    limitOf: ({ workPerDay }) => workPerDay,
  },
  month: {
    begin: (moment, further) => Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + further),
    // The month before is shown, too.
    keepSeconds: 63 * DAY_SECONDS,
    limitOf: ({ workPerMonth }) => workPerMonth,
  },
} as const satisfies Readonly<Record<string, Period>>;

export type PeriodName = keyof typeof PERIODS;
const NAMES = Object.keys(PERIODS) as PeriodName[];

/** What a key may still ask for in a period. */
export interface PeriodLeft {
  readonly name: PeriodName;
  readonly limit: number;
  /** Asset-steps. */
  readonly remaining: number;
  readonly windowSeconds: number;
  readonly secondsLeft: number;
}

/** The use of a key within a span. */
export interface Used {
  readonly from: string;
  readonly to: string;
  readonly questions: number;
  readonly asset_steps: number;
}

export type Usage = ReturnType<typeof createUsage>;

/** @param now the calendar; tests replace it */
export function createUsage(counters: Counters, now = () => new Date()) {
  const totals = counters.totals('usage');

  /** Both totals of a span. */
  function amountsOf(account: string, name: PeriodName, further: number, questions: number, work: number) {
    const { begin, keepSeconds } = PERIODS[name];
    const from = new Date(begin(now(), further)).toISOString().slice(0, 10);
    const amount = (what: string, value: number): Amount => ({
      key: `${account}:${name}:${from}:${what}`,
      amount: value,
      keepSeconds,
    });
    return [amount('questions', questions), amount('steps', Math.ceil(work))];
  }

  async function usedIn(account: string, name: PeriodName, further = 0): Promise<Used> {
    const [questions, steps] = await totals.add(amountsOf(account, name, further, 0, 0));
    const { begin } = PERIODS[name];
    const iso = (place: number) => new Date(begin(now(), place)).toISOString();
    return { from: iso(further), to: iso(further + 1), questions, asset_steps: steps };
  }

  return {
    /**
     * Counts a question.
     * @returns what is left of each quota, the first one that it exceeds, and a function that takes it back: it is not counted then
     */
    async take(key: KnownKey, work: number) {
      const counted = NAMES.flatMap(name => amountsOf(key.account, name, 0, 1, work));
      const found = await totals.add(counted);
      const moment = now();
      const left = NAMES.flatMap((name, i): PeriodLeft[] => {
        const { begin, limitOf } = PERIODS[name];
        const limit = limitOf(key);
        const [from, to] = [begin(moment, 0), begin(moment, 1)];
        return limit === undefined
          ? []
          : [
              {
                ...{ name, limit, remaining: limit - found[2 * i + 1] },
                windowSeconds: (to - from) / 1000,
                secondsLeft: (to - moment.getTime()) / 1000,
              },
            ];
      });
      const giveBack = async () => {
        await totals.add(counted.map(each => ({ ...each, amount: -each.amount })));
      };
      return { left, exceeded: left.find(({ remaining }) => remaining < 0), giveBack };
    },
    /** The use of an account in this day, this month and the month before. */
    async of(account: string) {
      const [day, month, before] = await Promise.all([
        usedIn(account, 'day'),
        usedIn(account, 'month'),
        usedIn(account, 'month', -1),
      ]);
      return { day, month, month_before: before };
    },
  };
}
