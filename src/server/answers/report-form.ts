/** The forms of a report: its JSON as it was written, or the page of it. */
import type { DeskResult } from '../../desk/result.ts';
import { reportPage } from '../../question/report/forms.ts';
import { digestOf } from '../audit/digest.ts';
import type { Context } from '../transport/context.ts';
import { type SendOptions, sendBytes } from '../transport/send-text.ts';
import { HttpRefusal } from './problem.ts';

/** The page of the JSON of an answer. */
const pageOf = (json: string): string => reportPage(JSON.parse(json) as DeskResult);

/** Whether a page is asked for rather than JSON. @throws HttpRefusal 406 */
export function wantsPage(ctx: Context): boolean {
  ctx.vary('Accept');
  const form = ctx.accepts('application/json', 'text/html');
  if (form === false)
    throw new HttpRefusal(406, 'The header Accept admits neither JSON nor HTML; a report has these forms.');
  return form === 'text/html';
}

/** Sends a result as it is, or as a page, of which the digest is another. */
export async function sendForm(
  ctx: Context,
  json: Uint8Array,
  isPage: boolean,
  options: SendOptions,
): Promise<void> {
  if (!isPage) return sendBytes(ctx, 'application/json', json, options);
  const page = Buffer.from(pageOf(Buffer.from(json).toString()));
  ctx.set({ 'Repr-Digest': await digestOf(page) });
  await sendBytes(ctx, 'text/html; charset=utf-8', page, options);
}
