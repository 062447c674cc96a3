/** Answers as typed columns, read by other libraries than those that write them, or by their own reader. */
import { tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConfigured } from '#src/library.js';
import type { Risk } from '#src/question/open-risk.js';
import type { OperationAnswer } from '#src/question/question.js';
import { QUESTIONS } from '#src/question/questions.js';
import { columnForms, columnsFile, columnsOf } from '#src/server/answers/columns.js';
import { loadCommandConfig } from '#src/server/command-config.js';
import { EXAMPLES } from '#src/server/openapi/examples.js';
import type { RunningServer } from '#src/server/transport/server.js';
import { post, serve } from '../../support/http-app.ts';
import { withMember } from '../../support/request-bodies.ts';

const [ARROW, PARQUET] = columnForms;
type Row = Record<string, unknown>;

/** Rows and metadata of a file; times as ISO texts, without cells that lack a value. */
async function readBack(bytes: ArrayBuffer, form: string) {
  const shown = (row: object) =>
    JSON.parse(JSON.stringify(row, (_, value) => (value === null ? undefined : value))) as Row;
  if (form === PARQUET) {
    const [answer] = parquetMetadata(bytes).key_value_metadata ?? [];
    return { rows: (await parquetReadObjects({ file: bytes })).map(shown), answer: answer.value as string };
  }
  const table = tableFromIPC(new Uint8Array(bytes));
  const times = table.schema.fields.filter(({ type }) => String(type).startsWith('Timestamp'));
  const rows = table.toArray().map(row => {
    const own = (row as { toJSON(): Row }).toJSON();
    for (const { name } of times) own[name] &&= new Date(own[name] as number);
    return shown(own);
  });
  return { rows, answer: table.schema.metadata.get('answer') as string };
}

/** Values of a row by joined names, without null. */
function flat(value: object, before = ''): Row {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      if (each === null) return [];
      return typeof each === 'object'
        ? Object.entries(flat(each, `${before}${name}.`))
        : [[before + name, each]];
    }),
  );
}

type Figures = Record<string, Record<string, Record<string, object>>>;
const levelsOf = (result: Figures) =>
  Object.entries(result)
    .filter(([name]) => Number.isFinite(Number(name)))
    .map(([horizon, levels]) => [{ horizon: Number(horizon) }, levels] as const);

/** The rows of the JSON answer of a question, written out for each shape; other results are one row. */
const ROWS: Readonly<Record<string, (result: Figures) => object[]>> = {
  '/book_risk': ({ Loans }) => Object.entries(Loans).map(([loan, figures]) => ({ loan, ...figures })),
  '/stress': ({ Scenarios }) =>
    Object.entries(Scenarios).flatMap(([scenario, { Loans }]) =>
      Object.entries(Loans).map(([loan, figures]) => ({ scenario, loan, ...(figures as object) })),
    ),
  '/var': result =>
    levelsOf(result).flatMap(([horizon, levels]) =>
      Object.entries(levels).map(([level, figures]) => ({ ...horizon, level: Number(level), ...figures })),
    ),
  '/advance_rate': result =>
    levelsOf(result).flatMap(([horizon, kinds]) =>
      Object.entries(kinds).flatMap(([given, levels]) =>
        Object.entries(levels).map(([level, figures]) => ({
          ...horizon,
          ...{ given, level: Number(level) },
          ...(figures as object),
        })),
      ),
    ),
  '/cross_perp_risk': ({ Positions }) => Positions as unknown as object[],
  '/backtest': ({ Daily }) => {
    const { Date: days, Realised, Var, CVar } = Daily as unknown as Record<string, string[]>;
    const at = (lists: object, k: number) =>
      Object.fromEntries(Object.entries(lists).map(([level, values]) => [level, values[k]]));
    return days.map((day, k) => ({
      Date: `${day}T00:00:00.000Z`,
      ...{ Realised: Realised[k], Var: at(Var, k), CVar: at(CVar, k) },
    }));
  },
};

describe('Typed columns', () => {
  let risk: Risk;
  let server: RunningServer;
  beforeAll(async () => {
    const config = loadCommandConfig({ COMPUTE: 'cpu', CPU_THREADS: '1' });
    risk = await openConfigured(config, { path: 'sample', asked: true, rules: config.marketRules });
    // Each question runs once; its forms are of one answer.
    const answers = new Map<string, Promise<OperationAnswer>>();
    const routes = QUESTIONS.map(question => ({
      ...question,
      answer() {
        const { path } = question;
        const answer = answers.get(path) ?? risk.ask(path, bodyOf(path)).then(each => each.answer);
        answers.set(path, answer);
        return answer;
      },
    }));
    server = await serve({ routes });
  });
  afterAll(async () => {
    await server.drain(1000);
    await risk.close();
  });

  const bodyOf = (path: string): object => {
    const body = EXAMPLES[path as '/var'].at(-1) as object;
    return withMember(body, 'params' in body ? 'params.mc_iter' : 'mc_iter', 200);
  };
  const ask = (path: string, accept: string, body: object = bodyOf(path)) =>
    post(server, path, body, { accept });

  it.each([...Object.keys(ROWS), '/isolated_perp_risk'])(
    'of %s are the rows of its JSON, and the rest is beside them',
    async path => {
      const json = (await (await ask(path, 'application/json')).json()) as Record<string, Figures>;
      const { Arguments, Output, Results, ...others } = json;
      const expected = (ROWS[path] ?? (result => [result]))(Output ?? Results).map(row => flat(row));
      for (const form of columnForms) {
        const response = await ask(path, form);
        expect(response.headers.get('content-type')).toBe(form);
        expect(response.headers.get('repr-digest')).toMatch(/^sha-256=/);
        const { rows, answer } = await readBack(await response.arrayBuffer(), form);
        expect(rows).toEqual(expected);
        const rest = JSON.parse(answer) as typeof json;
        const { loans: _, ...terms } = Arguments;
        expect(rest).toMatchObject({ Arguments: terms, ...others });
        expect(rest.Arguments).not.toHaveProperty('loans');
        // Every value of the JSON is in a row or beside the rows.
        const values = (value: object) => Object.keys(flat(value)).length;
        const keys = new Set(['scenario', 'loan', 'horizon', 'level', 'given']);
        const inRows = rows.flatMap(row =>
          Object.keys(row).filter(name => ROWS[path] === undefined || !keys.has(name)),
        );
        expect(inRows.length + values(rest.Output ?? rest.Results)).toBe(values(Output ?? Results));
      }
    },
  );

  it('are refused for a plan and for a job, which have other forms', async () => {
    const body = bodyOf('/var');
    expect((await post(server, '/var?include=plan', body, { accept: ARROW })).status).toBe(406);
    expect((await post(server, '/var', body, { accept: PARQUET, prefer: 'respond-async' })).status).toBe(406);
    expect((await ask('/var', ARROW, {})).headers.get('content-type')).toContain('application/problem+json');
  });
});

describe('A column', () => {
  const rows = [
    { name: 'a', size: 1, open: true, at: new Date(1000), N: 'call' },
    { name: null, at: new Date(1e12), more: { deep: [2, { x: 3 }] }, N: 1.5 },
    { none: null },
  ];

  it.each(columnForms)('has one type, and cells without a value: %s', async form => {
    const bytes = await columnsFile(form, { columns: await columnsOf(rows), answer: '{}' });
    expect((await readBack(new Uint8Array(bytes).buffer, form)).rows).toEqual([
      { name: 'a', size: 1, open: true, at: '1970-01-01T00:00:01.000Z', N: 'call' },
      { at: '2001-09-09T01:46:40.000Z', 'more.deep.0': 2, 'more.deep.1.x': 3, N: '1.5' },
      {},
    ]);
  });

  it.each(columnForms)('may be absent: a table of no rows has none: %s', async form => {
    const bytes = await columnsFile(form, { columns: await columnsOf([]), answer: '{"a":1}' });
    expect(await readBack(new Uint8Array(bytes).buffer, form)).toEqual({ rows: [], answer: '{"a":1}' });
  });

  it('has no figure that is not finite', async () => {
    await expect(columnsOf([{ a: { Loss: Number.NaN } }])).rejects.toThrow('The figure a.Loss is NaN.');
  });
});
