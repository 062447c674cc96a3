/** The path of reports in openapi.json, and its schemas. */
import { z } from 'zod';
import { BOOK_BODY_BYTES } from '../../question/question.ts';
import { REPORT_PATH, reportSchema } from '../../question/report/request.ts';
import { REPORT_QUERY } from '../../question/report/tape-with-query.ts';
import { meaning } from '../../question/request/fields.ts';
import { acceptedResponse } from './background.ts';
import { answerSchemaOf, type JsonSchema, json, jsonSchemaOf, ref, response } from './json-schema.ts';
import { list, text } from './response/figures.ts';

const part = (description: string) => meaning(z.looseObject({}), description);
const noneOr = (description: string) => meaning(z.looseObject({}).nullable(), description);

/** The content of `book --json`; docs/desk.md describes its parts. */
const report = meaning(
  z.strictObject({
    Title: text('Title of the report.'),
    MadeAt: text('When it was asked for, UTC.'),
    Tape: part('The tape: its loans as they were read, those left out, remarks and decisions.'),
    Data: part('Day, source and prices of the data, and daily volumes.'),
    Run: part('Version, seed, methodologies and terms, and the command that repeats it.'),
    Today: part('The book at the prices of the day: LTV bands, assets, borrowers.'),
    Models: part('For each methodology the figures of /book_risk, its warnings and intervals.'),
    Scenario: noneOr('The scenario at the loss of the headline, hour by hour; null where that loss is 0.'),
    Accuracy: part('Intervals of the figures of the headline.'),
    Backtest: noneOr('The back-test of each methodology; null without one.'),
    Stress: noneOr('Falls, rises and past windows; null without them.'),
    Compared: noneOr('The changes since `earlier`; null without one.'),
    Missing: list('Parts that could not be computed, with the reason.', z.string()),
    Limits: meaning(
      z.array(z.looseObject({})).nullable(),
      'Each limit and its judgement; null without limits.',
    ),
    Loans: list('Each loan, the largest part of the tail first.', z.looseObject({})),
    Calls: list('Open margin calls and what cures each, the first deadline first.', z.looseObject({})),
    Warnings: list('Warnings of the questions.', z.looseObject({})),
  }),
  'The report as data: what the command `book --json` writes, byte for byte.',
);

/** Some day: the document does not depend on it. */
const SOME_DAY = 20_000;

const example = {
  tape: 'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours\nL-1,BTC,10,USD,350000,0.75,0.85,24\n',
  analysis_date: '06-30-2024',
  types: ['GBM'],
  mc_iter: 1000,
  backtest_days: 0,
  falls: [],
  limits: 'loan LTV <= 0.8\nLossCVar 0.99 <= 250000',
};

export const reportSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  BookReportRequest: jsonSchemaOf(reportSchema(SOME_DAY)),
  BookReport: answerSchemaOf(report),
});

/** The members of the body beside a tape in text/csv. */
const queryParameters = (
  members: Readonly<Record<string, { readonly description?: string }>>,
): readonly JsonSchema[] =>
  Object.keys(REPORT_QUERY).map(name => ({
    name,
    in: 'query',
    description: `text/csv: ${members[name].description}`,
    schema: { type: 'string' },
  }));

/** @param headerParameters references to the headers of a request @param refusals of an operation */
export function reportPaths(headerParameters: readonly JsonSchema[], refusals: JsonSchema): JsonSchema {
  const members = jsonSchemaOf(reportSchema(SOME_DAY)).properties as Readonly<
    Record<string, { readonly description?: string }>
  >;
  return {
    [REPORT_PATH]: {
      post: {
        tags: ['Reports'],
        operationId: 'bookReport',
        summary: 'The report of a loan book, as the command makes it',
        description:
          'A loan tape under several methodologies, with back-tests, scenarios, open margin calls, limits, and the changes since an earlier ' +
          'report: JSON, or with `Accept: text/html` one page; both are the bytes that the command `book` writes. Each of its questions ' +
          'counts as one of the key. A report of the usual size takes longer than a request may: use `Prefer: respond-async`; the result ' +
          'of the job has both forms.',
        parameters: [...headerParameters, ...queryParameters(members)],
        requestBody: {
          required: true,
          description: `At most ${BOOK_BODY_BYTES} bytes.`,
          content: {
            ...json(ref('schemas', 'BookReportRequest'), { examples: { report: { value: example } } }),
            'text/csv': {
              schema: {
                type: 'string',
                description:
                  'The tape alone; the query has the other members of the JSON body but `earlier`: lists with commas, numbers, objects and truth values as in JSON.',
              },
            },
          },
        },
        responses: {
          '200': response(
            'The report.',
            {
              ...json(ref('schemas', 'BookReport')),
              'text/html': { schema: { type: 'string', description: 'One page for the screen and for A4.' } },
            },
            Object.fromEntries(
              ['x-request-id', 'x-seed', 'x-market-data', 'Repr-Digest'].map(name => [
                name,
                ref('headers', name),
              ]),
            ),
          ),
          '202': acceptedResponse,
          ...refusals,
        },
      },
    },
  };
}
