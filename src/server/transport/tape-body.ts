/**
 * A loan tape sent as text/csv instead of a JSON body: it is converted to the equivalent body, which the rest of the server reads.
 *
 * Must not know: what the operation computes.
 */
import { RiskError } from '../../core/errors.ts';
import { joinedBytes } from '../../host/long-bytes.ts';
import { closesAt } from '../../market/closes-at.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import type { MarketHandle } from '../../market/market-data.ts';
import { readLongBody } from '../../question/reading/reader.ts';
import { readTapeQuery, TAPE_PARAMETERS } from '../../question/request/tape-query.ts';
import { dayOf, formatCalendarDate, parseCalendarDate } from '../../text/calendar-date.ts';
import type { Quota } from '../admission/quota.ts';
import { HttpRefusal } from '../answers/problem.ts';
import { bodyTooLarge, CSV, contentType, giveBytes, requireContentType, takeBytes } from './body.ts';
import type { Context, Middleware } from './context.ts';

/** More than a row of 100 characters for each of 100,000 loans. */
const TAPE_BYTES = 16 * 2 ** 20;

export interface TapeDependencies {
  readonly market: MarketHandle;
  readonly now: () => Date;
  readonly quota: Quota;
}

/** Reads a JSON body of at most `limit` bytes, or a tape. */
export function takeBytesOrTape(limit: number, dependencies: TapeDependencies): Middleware {
  const requireType = requireContentType('application/json', CSV);
  const takeJson = takeBytes(limit, dependencies.quota);
  const takeTape = takeBytes(TAPE_BYTES, dependencies.quota);
  return (ctx, next) =>
    requireType(ctx, () =>
      contentType(ctx) === CSV
        ? takeTape(ctx, async () => {
            await replaceTape(ctx, limit, dependencies);
            await next();
          })
        : takeJson(ctx, next),
    );
}

/** Replaces a tape by the equivalent JSON body, and removes the parameters of the tape from the query. */
async function replaceTape(ctx: Context, limit: number, { market, now }: TapeDependencies): Promise<void> {
  const parameters = new URLSearchParams(ctx.querystring);
  const read = readTapeQuery(parameters);
  if ('faults' in read) throw notValid(read.faults);
  const moment = now();
  const [today, current] = [dayOf(moment), market.current()];
  const date = read.value.params.analysis_date ?? formatCalendarDate(today);
  const query = { ...read.value, params: { analysis_date: date, ...read.value.params } };
  const day = Math.min(parseCalendarDate(String(date)) ?? today, today);
  const asOf = lastCompleteDay(day, moment);
  const terms = { today, aliases: current.symbols.aliases(), tape: { query, asOf } };
  const sent = ctx.request.rawBytes as Uint8Array;
  const tape = await readLongBody(sent, terms, ctx.state, closesAt(current, moment));
  if (!tape.ok) throw 'unreadable' in tape ? new HttpRefusal(400, tape.unreadable) : notValid(tape.faults);
  const pieces = [tape.value.text].flat().map(piece => Buffer.from(piece));
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length > limit) throw bodyTooLarge(limit);
  const bytes = await joinedBytes(pieces, length);
  await giveBytes(ctx, bytes);
  ctx.state.remarks = tape.value.remarks;
  for (const name of TAPE_PARAMETERS) parameters.delete(name);
  ctx.querystring = parameters.toString();
}

const notValid = (faults: RiskError['faults']) =>
  new RiskError('invalid-request', 'The request is not valid.', { faults });
