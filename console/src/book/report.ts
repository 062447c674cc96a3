/**
 * The report of a tape, from the server: the bytes of the command `book`.
 *
 * Takes: a tape, the form, limits and an earlier report. Gives: both forms of the report, or the reason of a refusal.
 */
import type { DeskResult } from '#src/desk/result.ts';
import type { ValuedTape } from '#src/desk/value-tape.ts';
import { columnsFileText } from '#src/tape/columns-file.ts';
import type { TapeOptions } from '#src/tape/read-tape.ts';
import { formatCalendarDate } from '#src/text/calendar-date.ts';
import type { Cell } from '#src/text/numbers.ts';
import { apiKey } from '../state/session.ts';
import type { BookFile } from './book-file.ts';

export interface ReportTerms {
  /** Members of the body beside the tape. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly options: TapeOptions;
}

/** A report in its two forms. */
export interface MadeReport {
  readonly page: string;
  readonly json: string;
  readonly result: DeskResult;
}

const send = (path: string | URL, headers: Readonly<Record<string, string>>, init: RequestInit = {}) =>
  fetch(new URL(path, location.origin), {
    ...init,
    headers: { ...headers, 'x-api-key': apiKey.value },
  }).catch(() => {
    // Each browser has words of its own.
    throw new Error('The server cannot be reached.');
  });

/** The rows of a file at their lines, so that faults name these. */
function rowsAtLines({ rows, lines }: Extract<BookFile, { kind: 'tape' }>): (readonly Cell[])[] {
  const all: (readonly Cell[])[] = [];
  rows.forEach((row, k) => {
    while (all.length < (lines[k] ?? 0) - 1) all.push([]);
    all.push(row);
  });
  return all;
}

/** The body of /book_report. */
export function reportBody(
  file: Extract<BookFile, { kind: 'tape' }>,
  tape: ValuedTape,
  { params, options }: ReportTerms,
) {
  const { accept = [], ...format } = options;
  return {
    tape: rowsAtLines(file),
    tape_format: JSON.parse(columnsFileText(format)) as object,
    ...(accept.length > 0 && { accept }),
    file: file.name,
    ...(file.sheet !== undefined && { sheet: file.sheet }),
    analysis_date: formatCalendarDate(tape.asOf),
    ...params,
  };
}

/** Asks as a job, which ends with the page. @param update share that is done, 0 to 1 @throws Error with every fault in its message */
export async function makeReport(
  body: object,
  seed: number,
  update: (share: number) => void,
): Promise<MadeReport> {
  const accepted = await send(
    '/book_report',
    { 'x-seed': String(seed), 'content-type': 'application/json', prefer: 'respond-async' },
    { method: 'POST', body: JSON.stringify(body) },
  );
  const job = accepted.headers.get('location');
  if (accepted.status !== 202 || job === null) throw new Error(faultsOf(await accepted.text()));
  const remove = () => send(job, {}, { method: 'DELETE', keepalive: true });
  addEventListener('pagehide', remove);
  try {
    let json: Response;
    do {
      await follow(job, update);
      json = await send(`${job}/result`, {});
    } while (json.status === 409);
    const text = await json.text();
    if (!json.ok) throw new Error(faultsOf(text));
    const page = await send(`${job}/result`, { accept: 'text/html' });
    return { page: await page.text(), json: text, result: JSON.parse(text) as DeskResult };
  } finally {
    removeEventListener('pagehide', remove);
    await remove();
  }
}

/** The events of a job, which end with it, unless the connection ends before. */
async function follow(job: string, update: (share: number) => void): Promise<void> {
  const events = await send(job, { accept: 'text/event-stream' });
  if (!events.ok) throw new Error(faultsOf(await events.text()));
  let rest = '';
  for await (const piece of events.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines)
      if (line.startsWith('data: ')) update((JSON.parse(line.slice(6)) as { share_done: number }).share_done);
  }
}

/** The sentence of a problem document, and all its faults. */
function faultsOf(text: string): string {
  try {
    const { detail, errors = [] } = JSON.parse(text) as {
      readonly detail?: string;
      readonly errors?: readonly { readonly message: string }[];
    };
    return [detail ?? text, ...errors.map(({ message }) => message)].join('\n');
  } catch {
    return text;
  }
}
