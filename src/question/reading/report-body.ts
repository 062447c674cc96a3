/** The body of /book_report as a valued tape with its terms, or every fault. */
import { createHash } from 'node:crypto';
import type { Fault } from '../../core/errors.ts';
import { type Limit, readLimits } from '../../desk/limits.ts';
import { attachedNames, waterfallSent } from '../../desk/tranches.ts';
import { readUntil, type Until, untilFault } from '../../desk/until.ts';
import { type ValuedTape, valueTape } from '../../desk/value-tape.ts';
import { lastCompleteDay } from '../../market/last-complete-day.ts';
import { isDollar } from '../../market/symbols.ts';
import type { MethodologyName } from '../../models/methodology/methodologies.ts';
import { readColumnsFile } from '../../tape/columns-file.ts';
import type { TapeOptions } from '../../tape/read-tape.ts';
import type { OptionWords } from '../../tape/remedies.ts';
import { type Sheet, sheetTable, type TapeTable, textTable } from '../../tape/tables.ts';
import { dayOf } from '../../text/calendar-date.ts';
import { NoTable } from '../../text/delimited.ts';
import { isObject } from '../../text/message.ts';
import { MAX_SYMBOLS, type ResolveSymbol } from '../../text/symbols.ts';
import { BOOK_FORM } from '../book/request.ts';
import type { EarlierResult } from '../report/compare.ts';
import type { ReportTerms } from '../report/make-result.ts';
import { MAX_REPORT_LOANS, reportSchema, type SentReport } from '../report/request.ts';
import { faultsOfRows, isComputed, lackingOf } from '../report/valuing.ts';
import { beyondForm, parseJson } from '../request/json-form.ts';
import { checkRequest } from '../request/parse.ts';
import type { PricesOf } from '../request/prices.ts';
import { repeatedMembers } from '../request/repeated-members.ts';
import { type Read, requestFaults } from './tape-body.ts';

export interface ReportRequest {
  readonly tape: ValuedTape;
  readonly name: { readonly file: string; readonly sha256: string };
  readonly sheet: string | undefined;
  readonly options: TapeOptions;
  readonly skipFaulty: boolean;
  /** Without what is no part of the body. */
  readonly terms: Omit<ReportTerms, 'command' | 'seed'>;
  readonly earlier: EarlierResult | undefined;
}

export interface ReportReading {
  /** Milliseconds since 1970 of the request. */
  readonly moment: number;
  /** The last day of each asset with prices. */
  readonly lastDays: readonly (readonly [asset: string, day: string])[];
}

/** The tape names too many assets. */
class TooManyAssets extends Error {}

export async function readReportBody(
  bytes: Uint8Array,
  { moment, lastDays }: ReportReading,
  resolve: ResolveSymbol,
  pricesOf: PricesOf,
): Promise<Read<ReportRequest>> {
  const beyond = beyondForm(bytes, BOOK_FORM);
  if (beyond !== undefined)
    return refusal({ code: 'out_of_range', path: 'body', message: `The body must be ${beyond}` });
  const parsed = parseJson(bytes, 'body');
  if ('unreadable' in parsed) return { ok: false, unreadable: parsed.unreadable };
  const now = new Date(moment);
  const schema = reportSchema(dayOf(now), resolve);
  const checked = checkRequest(schema, parsed.value);
  const faults: Fault[] = [...repeatedMembers(parsed.text), ...(checked.ok ? [] : checked.faults)];
  const sent = sentMembers(schema, parsed.value);
  const format = formatOf(sent, faults);
  const limits = limitsOf(sent, faults);
  const until = untilOf(sent, faults);
  const table = tableOf(sent, faults);
  if (table === undefined || format === undefined) return { ok: false, faults };
  const { days, analysis_date, skip_faulty = false } = sent;
  const asOf = analysis_date === undefined ? undefined : lastCompleteDay(analysis_date, now);
  let tape: ValuedTape;
  try {
    tape = await valueTape(
      table,
      { ...format, asOf, horizonDays: days ?? 1 },
      {
        resolve,
        isDollar,
        lastDays: async () => new Map(lastDays),
        lacking: lackingOf(pricesOf, resolve, {
          types: (sent.types ?? []) as MethodologyName[],
          lookbackDays: sent.model_lookback ?? 0,
          horizonDays: days ?? 1,
          saleDelayHours: sent.sale_delay ?? 0,
          proxy: sent.proxy,
        }),
        closes: (assets, date) => closesOf(assets, date, pricesOf),
      },
      now,
      (valued, prices) => faultsOfRows(valued, prices, dayOf(now), MAX_REPORT_LOANS),
    );
  } catch (error) {
    if (!(error instanceof TooManyAssets)) throw error;
    return { ok: false, faults: [...faults, { code: 'out_of_range', path: 'tape', message: error.message }] };
  }
  if (tape.loans.length > MAX_REPORT_LOANS)
    faults.push({
      code: 'out_of_range',
      path: 'tape',
      message: `tape must have at most ${MAX_REPORT_LOANS} loans; got ${tape.loans.length}. The command \`collateral-risk-engine book\` takes more`,
    });
  else if (!isComputed(tape, skip_faulty)) faults.push(...requestFaults(tape.faults, BODY_WORDS));
  if (!checked.ok || faults.length > 0) return { ok: false, faults };
  const { value } = checked;
  return {
    ok: true,
    value: {
      tape,
      name: {
        file: value.file,
        sha256: typeof value.tape === 'string' ? createHash('sha256').update(value.tape).digest('hex') : '',
      },
      sheet: value.sheet,
      options: format,
      skipFaulty: value.skip_faulty,
      terms: {
        title: value.title,
        types: value.types as MethodologyName[],
        lookbackDays: value.model_lookback,
        paths: value.mc_iter,
        levels: value.quantile,
        saleDelayHours: value.sale_delay,
        saleCost: value.sale_cost,
        horizonDays: value.days,
        falls: value.falls,
        rises: value.rises,
        proxy: value.proxy as ReportTerms['proxy'],
        backtestDays: value.backtest_days,
        credit: value.credit,
        waterfall: waterfallSent(value),
        until,
        limits,
        ...(value.earlier !== undefined && { compare: value.earlier_file }),
      },
      earlier: value.earlier as EarlierResult | undefined,
    },
  };
}

const refusal = (fault: Fault) => ({ ok: false, faults: [fault] }) as const;

/** The members that have no fault of their own, with their defaults. */
function sentMembers(schema: ReturnType<typeof reportSchema>, body: unknown): Partial<SentReport> {
  if (!isObject(body)) return {};
  return Object.fromEntries(
    Object.entries(schema.shape).flatMap(([name, member]) => {
      const read = member.safeParse(body[name]);
      return read.success && read.data !== undefined ? [[name, read.data]] : [];
    }),
  ) as Partial<SentReport>;
}

function formatOf(
  { tape_format = {}, accept }: Partial<SentReport>,
  faults: Fault[],
): TapeOptions | undefined {
  const read = readColumnsFile(JSON.stringify(tape_format));
  if ('options' in read) return { ...read.options, accept };
  faults.push(
    ...read.faults.map(
      (message): Fault => ({ code: 'malformed', path: 'tape_format', message: `tape_format: ${message}` }),
    ),
  );
  return undefined;
}

function limitsOf(
  { limits, quantile, types, credit, ...sent }: Partial<SentReport>,
  faults: Fault[],
): readonly Limit[] | undefined {
  if (limits === undefined || quantile === undefined || types === undefined) return undefined;
  const read = readLimits(limits, { levels: quantile, types, credit, waterfall: waterfallSent(sent) });
  faults.push(
    ...read.faults.map(
      ({ line, message }): Fault => ({
        code: 'malformed',
        path: `limits.${line}`,
        message: `limits, line ${line}: ${message}`,
      }),
    ),
  );
  return read.limits;
}

/** The bounds; one that the report does not compute is a fault, too. */
function untilOf({ until = [], quantile, tranches = [] }: Partial<SentReport>, faults: Fault[]) {
  return until.flatMap((text, i): readonly Until[] => {
    const read = readUntil(text);
    const wrong =
      'message' in read
        ? read.message
        : quantile && untilFault(read, { levels: quantile, tranches: attachedNames({ tranches }) });
    if (wrong !== undefined)
      faults.push({ code: 'malformed', path: `until.${i}`, message: `until.${i}, ${text}: ${wrong}` });
    return 'message' in read ? [] : [read];
  });
}

function tableOf({ tape }: Partial<SentReport>, faults: Fault[]): TapeTable | undefined {
  if (tape === undefined) return undefined;
  try {
    return typeof tape === 'string'
      ? textTable(tape)
      : sheetTable([{ sheet: '', data: tape } satisfies Sheet]);
  } catch (error) {
    if (!(error instanceof NoTable)) throw error;
    faults.push({ code: 'malformed', path: 'tape', message: `tape is no table: ${error.message}` });
    return undefined;
  }
}

async function closesOf(symbols: readonly string[], date: number, pricesOf: PricesOf) {
  if (symbols.length > MAX_SYMBOLS)
    throw new TooManyAssets(
      `the loans of a tape name at most ${MAX_SYMBOLS} distinct symbols; got ${symbols.length}. Split it`,
    );
  // None is missing: a loan without is a fault before.
  const closes = await pricesOf({ symbols, date });
  const found = [...closes].flatMap(([symbol, close]) => ('price' in close ? [{ symbol, ...close }] : []));
  return {
    prices: new Map(found.map(({ symbol, price }) => [symbol, price])),
    carried: found.filter(({ carried }) => carried).map(({ symbol }) => symbol),
  };
}

const format = (member: string, value: string) => `tape_format with "${member}": ${value}`;
const listOf = (columns: readonly string[]) => JSON.stringify(columns);
const pairText = (pair: string) => {
  const at = pair.lastIndexOf('=');
  return `{${JSON.stringify(pair.slice(0, at))}: ${JSON.stringify(pair.slice(at + 1))}}`;
};

/** The options of a tape as members of the body. */
const BODY_WORDS: OptionWords = {
  dates: `Send ${format('dates', '"dmy"')} (31.01.2026) or "mdy" (01/31/2026).`,
  comma: `Send ${format('decimal', '"comma"')}`,
  point: `Send ${format('decimal', '"point"')}`,
  ratios: (columns, percent) =>
    `Send ${format('ratios', listOf(columns))}${percent ? `, "percent": ${listOf(columns)}` : ''}`,
  accept: id => `send "accept": ${listOf([id])}`,
  smallestUnits: columns => `Send ${format('smallestUnits', listOf(columns))}`,
  headerRow: `Send ${format('headerRow', 'the line of the names of the columns')}.`,
  percent: column => `Send ${format('percent', listOf([column]))}`,
  fractions: column => `send ${format('fractions', listOf([column]))}`,
  nameColumn: pair => `Name it: ${format('columns', pairText(pair))}`,
  columns: pairs => format('columns', pairs.map(pairText).join(' and ')),
  fillCells: column => `: ${format('default', `{"${column}": ...}`)}`,
  lastDay: 'analysis_date',
  lookback: 'model_lookback',
  skipFaulty: 'skip_faulty: true',
  standIn: asset => `"proxy": {"${asset}": {"asset": "ETH"}}`,
  market: 'GET /symbols shows',
};
