/**
 * One message to a channel after a failed run of `book`, a breached limit, or one that cannot be judged: JSON with a member `text`, for Slack, Mattermost and others.
 *
 * The address is a secret: no message, result or error contains it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { valueText, whyUnknown } from '../desk/limit-text.ts';
import type { DeskResult, JudgedLimit } from '../desk/result.ts';
import { withoutSentence } from '../desk/sentences.ts';
import { dayText } from '../desk/words.ts';

/** Pauses before further attempts, milliseconds. */
const PAUSES_MS: readonly number[] = [1000, 4000, 16_000];
const TIMEOUT_MS = 10_000;
/** Characters of a message. */
const LONGEST = 3000;

/** Sends a text. @returns the reason of the last failure; undefined after a success */
export async function notify(
  url: string,
  text: string,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<string | undefined> {
  const body = JSON.stringify({ text: escaped(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text) });
  let why = '';
  for (const pause of [0, ...pausesMs]) {
    await sleep(pause);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // Its text is not used, however long it is.
      await response.body?.cancel();
      if (response.ok) return undefined;
      why = `it answered ${response.status}`;
      // A second attempt would be refused, too.
      if (response.status < 500 && response.status !== 429) return why;
    } catch (error) {
      why = (error as Error).name === 'TimeoutError' ? 'it did not answer in time' : 'it cannot be reached';
    }
  }
  return why;
}

/** Escapes names of the tape, which must not become links or mentions. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The message on breached limits and those that cannot be judged; undefined without any. @param place of the report */
export function limitsText(
  { Title, Data, Limits, Tape }: DeskResult,
  place: string | undefined,
): string | undefined {
  const of = (status: JudgedLimit['Status']) => (Limits ?? []).filter(({ Status }) => Status === status);
  const [breached, unknown] = [of('breached'), of('unknown')];
  if (breached.length + unknown.length === 0) return undefined;
  const counts = [
    ...(breached.length > 0 ? [`${breached.length} of ${Limits?.length} limits breached`] : []),
    ...(unknown.length > 0 ? [`${unknown.length} of ${Limits?.length} limits cannot be judged`] : []),
  ];
  return [
    `${Title}: ${counts.join(', ')}, data as of ${dayText(Data.AsOf)}${Data.Synthetic ? ' (synthetic prices)' : ''}.`,
    ...breached.map(
      ({ Limit, Value, Of }) =>
        `${Limit}: ${Value === null ? '' : valueText({ Limit }, Value)}${Of === null ? '' : ` (${Of})`}`,
    ),
    ...unknown.map(limit => `${limit.Limit}: cannot be judged, ${whyUnknown(limit)}`),
    ...[withoutSentence(Tape)].filter(each => each !== ''),
    ...(place === undefined ? [] : [place]),
  ].join('\n');
}
