/**
 * The report of the command `book`, made in the page: the same questions, the same pages.
 *
 * Takes: a valued tape and terms. Gives: one HTML file. Its notes name what it leaves out: the back-test and traded volumes.
 */
import { messageOf } from '#core/errors.ts';
import type { Ask } from '#src/desk/ask.ts';
import { type AnsweredModel, askModel } from '#src/desk/ask-model.ts';
import { askStress } from '#src/desk/ask-stress.ts';
import { deskResult } from '#src/desk/assemble.ts';
import { reportHtml } from '#src/desk/report/report.ts';
import { todayOf } from '#src/desk/today.ts';
import type { ValuedTape } from '#src/desk/value-tape.ts';
import { type Day, formatIsoDate } from '#src/text/calendar-date.ts';
import { METHODOLOGIES } from '../generated/methodologies.ts';
import { draws } from '../state/methodologies.ts';
import { apiKey } from '../state/session.ts';
import { quoted } from './tape-terms.ts';

export interface ReportTerms {
  readonly file: string;
  /** The first is that of the headline. */
  readonly types: readonly string[];
  readonly lookbackDays: number;
  readonly paths: number;
  readonly levels: readonly number[];
  readonly saleDelayHours: number;
  readonly saleCost: number;
  readonly horizonDays: number;
  readonly seed: number;
  readonly market: string;
  readonly version: string;
  /** Options of the command on how the tape is read. */
  readonly options: readonly string[];
  /** Sentences on what the form has and the report does not. */
  readonly notTaken: readonly string[];
}

/** Falls of all prices in the report, as of the command line. */
const FALLS = [0.2, 0.3, 0.5];

const send = (path: string | URL, headers: Readonly<Record<string, string>>, init: RequestInit = {}) =>
  fetch(new URL(path, location.origin), {
    ...init,
    headers: { ...headers, 'x-api-key': apiKey.value },
  }).catch(() => {
    // Each browser has words of its own.
    throw new Error('The server cannot be reached.');
  });

/** Asks as a job, which ends with the page: a large book takes longer than a request may. */
const ask: Ask = async ({ path, include, seed, body }) => {
  const target = new URL(path, location.origin);
  if (include !== undefined) target.searchParams.set('include', include);
  const headers = {
    ...(seed === undefined ? {} : { 'x-seed': String(seed) }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', prefer: 'respond-async' }),
  };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  let answer = await send(target, headers, init);
  const job = answer.status === 202 ? answer.headers.get('location') : null;
  if (job === null) return { ok: answer.ok, text: await answer.text() };
  const remove = () => send(job, {}, { method: 'DELETE', keepalive: true });
  addEventListener('pagehide', remove);
  try {
    do {
      // The events end with the job, unless the connection ends before.
      const events = await send(job, { accept: 'text/event-stream' });
      const text = await events.text();
      if (!events.ok) return { ok: false, text };
      answer = await send(`${job}/result`, {});
    } while (answer.status === 409);
    return { ok: answer.ok, text: await answer.text() };
  } finally {
    removeEventListener('pagehide', remove);
    await remove();
  }
};

/** @param update what is asked for now @throws DeskRefusal where the methodology of the headline is refused */
export async function makeReport(
  tape: ValuedTape,
  terms: ReportTerms,
  update: (step: string) => void,
): Promise<string> {
  const missing = [
    'No back-test and no traded volumes: the console leaves them out, the command `book` has them.',
    ...terms.notTaken,
  ];
  const asked = {
    ...terms,
    asOf: tape.asOf,
    prices: tape.prices,
    draws,
  };
  const answers = new Map<string, AnsweredModel>();
  for (const [k, type] of terms.types.entries()) {
    update(`${type}, ${k + 1} of ${terms.types.length + 1}`);
    try {
      answers.set(type, await askModel(ask, type, tape.rows, asked));
    } catch (error) {
      if (k === 0) throw error;
      missing.push(`${type} is left out: ${messageOf(error)}`);
    }
  }
  update(`scenarios, ${terms.types.length + 1} of ${terms.types.length + 1}`);
  const stressTerms = { ...asked, falls: FALLS };
  const stress = await askStress(ask, terms.types[0], tape.rows, stressTerms);
  if (typeof stress === 'string') missing.push(`The scenarios are left out: ${stress}`);
  const today = todayOf(tape.loans, tape.prices);
  const result = {
    ...deskResult({
      title: 'Risk of the loan book',
      madeAt: new Date(),
      tape,
      name: { file: terms.file, sha256: '' },
      market: terms.market,
      synthetic: terms.market.startsWith('sample'),
      volumes: {},
      run: {
        Version: terms.version,
        Seed: terms.seed,
        Types: [...answers.keys()],
        Headline: terms.types[0],
        LookbackDays: terms.lookbackDays,
        Paths: terms.paths,
        HorizonDays: terms.horizonDays,
        Levels: terms.levels,
        SaleDelayHours: terms.saleDelayHours,
        SaleCost: terms.saleCost,
        Command: commandOf(terms, [...answers.keys()], tape.asOf),
      },
      today,
      answers,
      backtest: null,
      stress: typeof stress === 'string' ? null : stress,
      compared: null,
      missing,
    }),
    Limits: null,
  };
  return reportHtml(result, METHODOLOGIES);
}

/** The command `book` with the terms of the report, which adds the back-test and traded volumes. */
const commandOf = (terms: ReportTerms, types: readonly string[], asOf: Day): string =>
  [
    'collateral-risk-engine book',
    quoted(terms.file),
    ...terms.options,
    `--as-of ${formatIsoDate(asOf)} --types ${types.join(' ')} --lookback ${terms.lookbackDays}`,
    `--paths ${terms.paths} --levels ${terms.levels.join(' ')} --days ${terms.horizonDays}`,
    `--sale-delay ${terms.saleDelayHours} --sale-cost ${terms.saleCost} --seed ${terms.seed}`,
    ...(terms.market.startsWith('sample') ? ['--market sample'] : []),
    '--html report.html',
  ].join(' ');
