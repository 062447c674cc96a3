/**
 * One message to a channel where a run of `book` has failed or a limit is breached: JSON with a member `text`, as Slack, Mattermost and others
 * take it.
 *
 * The address is a secret: it stands in no message, no result and no error.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeskResult } from '../desk/result.ts';

/** Pauses before further tries, milliseconds. */
const PAUSES_MS: readonly number[] = [1000, 4000, 16_000];
const TIMEOUT_MS = 10_000;
/** Characters of a message. */
const LONGEST = 3000;

/** Sends a text. @returns why it could not be sent after all tries; undefined where it was */
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
      await response.arrayBuffer();
      if (response.ok) return undefined;
      why = `it answered ${response.status}`;
      // What is refused for good is refused again.
      if (response.status < 500 && response.status !== 429) return why;
    } catch (error) {
      why = (error as Error).name === 'TimeoutError' ? 'it did not answer in time' : 'it cannot be reached';
    }
  }
  return why;
}

/** Names of the tape may not become links or mentions. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What is told of breached limits; undefined where there are none. @param place where the report is */
export function breachText(
  { Title, Data, Limits }: DeskResult,
  place: string | undefined,
): string | undefined {
  const breached = (Limits ?? []).filter(({ Status }) => Status === 'breached');
  if (breached.length === 0) return undefined;
  return [
    `${Title}: ${breached.length} of ${Limits?.length ?? 0} limits breached, data as of ${Data.AsOf}${Data.Synthetic ? ' (synthetic prices)' : ''}.`,
    ...breached.map(
      ({ Limit, Value, Of }) =>
        `${Limit}: ${Value === null ? '' : Number(Value.toPrecision(4))}${Of === null ? '' : ` (${Of})`}`,
    ),
    ...(place === undefined ? [] : [place]),
  ].join('\n');
}
