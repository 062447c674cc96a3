/** GET /usage: what keys have asked for, by day and month. Must not know: how it is counted. */
import type { Counters } from '../admission/counters.ts';
import type { Usage } from '../admission/usage.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { Middleware } from '../transport/context.ts';
import { keyFacts } from './log-facts.ts';

export const USAGE_PATH = '/usage';

/** Answers a key with its own use; one with the scope `read` or `admin` with that of every key. */
export function usageMiddleware({
  usage,
  ring,
  counters,
}: {
  readonly usage: Usage;
  readonly ring: Pick<KeyRing, 'accounts' | 'find'>;
  readonly counters: Pick<Counters, 'shared'>;
}): Middleware {
  return async ctx => {
    const asking = ring.find(ctx.state.caller);
    const seesAll = asking?.scopes.has('read') === true || asking?.scopes.has('admin') === true;
    const shown = ring.accounts().filter(({ account }) => seesAll || account === asking?.account);
    const keys = shown.map(async ({ digest, name = null, account, expires = null, ...limits }) => {
      const { day, month, month_before } = await usage.of(account);
      return {
        key: keyFacts(digest, undefined).key,
        name,
        expires,
        day: { ...day, limit: limits.workPerDay ?? null },
        month: { ...month, limit: limits.workPerMonth ?? null },
        month_before,
      };
    });
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { servers: counters.shared === true ? 'all' : 'this one', keys: await Promise.all(keys) };
  };
}
