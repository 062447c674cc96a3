/**
 * The tools of the MCP server: one for each question, a tape, prices, and what a figure means.
 *
 * Takes: engines and a market. Gives: names, schemas and short texts. Must not know: the protocol, transports.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { refuseIfFaulty } from '../core/errors.ts';
import { answerText } from '../library.ts';
import type { AskOptions, Risk } from '../question/open-risk.ts';
import type { AnyQuestion } from '../question/question.ts';
import { QUESTIONS } from '../question/questions.ts';
import { DATE_PATTERN, members, SYMBOL, SYMBOL_BOUND } from '../question/request/fields.ts';
import { checkRequest } from '../question/request/parse.ts';
import { pricesBody } from '../server/answers/market-answers.ts';
import { HttpRefusal, problemOf } from '../server/answers/problem.ts';
import { type JsonSchema, jsonSchemaOf } from '../server/openapi/json-schema.ts';
import { writtenDescription } from '../server/openapi/written.ts';
import { requirement, show } from '../text/message.ts';
import { nearestName } from '../text/nearest-name.ts';
import { MAX_SYMBOLS } from '../text/symbols.ts';
import { type AnswerBody, type Resolve, type Schema, shortAnswer } from './short-answer.ts';

export interface ToolCall {
  readonly signal: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The text of the answer. @throws RiskError, HttpRefusal, the signal's reason */
  run(input: Readonly<Record<string, unknown>>, call: ToolCall): Promise<string>;
}

const DOCS = new URL('../../docs/', import.meta.url);
const documentOf = () =>
  writtenDescription() as unknown as {
    readonly paths: Readonly<Record<string, { readonly post: Readonly<Record<string, unknown>> }>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };

/** A body of openapi.json. */
interface Described {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

/** Documents by name, for the resources of the server. */
export const documents = (): readonly string[] =>
  readdirSync(DOCS)
    .filter(name => name.endsWith('.md'))
    .sort();
export const documentText = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

/** @param environment of the commands that read tapes */
export function toolsOf(risk: Risk, environment: NodeJS.ProcessEnv): readonly Tool[] {
  const document = documentOf();
  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined
      ? schema
      : resolved(document.components.schemas[schema.$ref.split('/').at(-1) as string]);
  return [
    ...QUESTIONS.map(question => questionTool(risk, question, document.paths[question.path].post, resolved)),
    tapeTool(environment),
    pricesTool(risk),
    explainTool(QUESTIONS, document, resolved),
  ];
}

/** One schema for the methodologies of a question: they have the same members but for a few. */
function merged(forms: readonly Schema[], resolved: Resolve): Schema {
  const flat = (form: Schema): readonly Schema[] => {
    const own = resolved(form);
    return (own.oneOf ?? own.anyOf)?.flatMap(flat) ?? [own];
  };
  const objects = forms.flatMap(flat);
  const properties: Record<string, Schema> = {};
  for (const { properties: each = {} } of objects)
    for (const [name, schema] of Object.entries(each)) {
      const before = properties[name];
      if (before === undefined) properties[name] = schema;
      else if (schema.const !== undefined && (before.const !== undefined || before.enum !== undefined))
        properties[name] = {
          type: 'string',
          enum: [...new Set([...(before.enum ?? [before.const]), schema.const])],
        };
      else if (schema.properties !== undefined && before.properties !== undefined)
        properties[name] = merged([before, schema], resolved);
    }
  const required = objects.reduce(
    (common: readonly string[], { required: each = [] }) => common.filter(name => each.includes(name)),
    objects[0].required ?? [],
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A schema without what a reader does not need to write a request: forms of names, examples. */
function brief(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(brief);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(
    ([name]) =>
      !['pattern', 'propertyNames', 'examples', 'minProperties', 'maxProperties', 'title'].includes(name),
  );
  return Object.fromEntries(entries.map(([name, each]) => [name, brief(each)]));
}

function questionTool(
  risk: Risk,
  { path, query }: AnyQuestion,
  described: Readonly<Record<string, unknown>>,
  resolved: Resolve,
): Tool {
  const { summary, description, requestBody, responses } = described as {
    readonly summary: string;
    readonly description: string;
    readonly requestBody: Described;
    readonly responses: { readonly 200: Described };
  };
  const { schema } = requestBody.content['application/json'];
  const body = merged([schema], resolved);
  const answer = resolved(responses[200].content['application/json'].schema);
  const include = query.include.filter(member => member === 'accuracy' || member === 'warnings').join(',');
  return {
    name: path.slice(1),
    description: `${summary}. ${description} Weights, probabilities and volatilities are fractions.`,
    inputSchema: brief({
      ...body,
      properties: {
        ...body.properties,
        seed: {
          type: 'integer',
          minimum: 0,
          maximum: 4294967295,
          description: 'Seed of the paths. Default: 0.',
        },
        compute: { type: 'string', enum: ['auto', 'gpu', 'cpu'], description: 'Engine. Default: auto.' },
      },
    }) as JsonSchema,
    async run({ seed, compute, ...request }, call) {
      // As the headers of a request, whose check names their faults with those of the body.
      const sent = { seed: seed === undefined || typeof seed === 'number' ? seed : show(seed), compute };
      const options = { ...sent, include, ...call } as AskOptions;
      const text = await answerText(risk, path, request, options);
      return shortAnswer(path, JSON.parse(text) as AnswerBody, answer, resolved, Number(seed ?? 0));
    },
  };
}

/** A tool with a schema of its own, by which every call is read: its faults are refused before it runs. */
function checkedTool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  answer: (input: z.output<z.ZodObject<Shape>>, call: ToolCall) => Promise<string>,
): Tool {
  const schema = members(shape) as z.ZodType<z.output<z.ZodObject<Shape>>>;
  return {
    name,
    description,
    inputSchema: jsonSchemaOf(schema),
    async run(input, call) {
      const checked = checkRequest(schema, input);
      if (checked.ok) return answer(checked.value, call);
      refuseIfFaulty(checked.faults);
      throw new Error('An input without a value has at least one fault.');
    },
  };
}

/** A text of the form of `pattern`. */
const text = (pattern: RegExp, bound: string, description: string) =>
  z
    .string({ error: requirement(bound) })
    .regex(pattern, { error: requirement(bound) })
    .meta({ description });

/** The command `book` on a file of this computer. */
function tapeTool({ NOTIFY_URL: _, ...environment }: NodeJS.ProcessEnv): Tool {
  return checkedTool(
    'book_from_tape',
    'The risk of a book of loans from a loan tape on this computer (CSV or XLSX, a row for each loan). A refusal lists every faulty cell with its remedy, which is an argument for the next call.',
    {
      file: text(/^[^-]/, 'the path of a file; one that begins with - is written ./-', 'Path of the tape.'),
      arguments: z
        .array(
          text(
            /^--(?!(?:html|json|csv|parquet|calls|runs|notify|save-columns)\b)/,
            'an option as --option=value, and none that writes a file or sends a message',
            'An option with its value.',
          ),
          { error: requirement('a list of options') },
        )
        .default([])
        .meta({
          description:
            'Options of the command book, each with its value as --option=value: --days=30, --types=STUDENT_T, --columns="Facility ID=loan_id", --skip-faulty.',
        }),
    },
    async ({ file, arguments: words }, { signal }) => {
      const program = fileURLToPath(new URL('main.js', import.meta.url));
      const options = { env: environment, signal, maxBuffer: 2 ** 24 };
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [program, 'book', file, ...words],
        options,
      ).catch((ended: { readonly stdout: string; readonly stderr: string }) => ended);
      signal.throwIfAborted();
      // A limit that is breached is an exit code beside a result.
      if (stdout === '') throw new HttpRefusal(422, stderr.trim());
      return stdout;
    },
  );
}

function pricesTool(risk: Risk): Tool {
  const symbols = `a list of 1 to ${MAX_SYMBOLS} symbols`;
  return checkedTool(
    'prices',
    'Last closes of assets in USD at or before the end of a day (UTC).',
    {
      symbols: z
        .array(text(SYMBOL, SYMBOL_BOUND, 'A symbol.'), { error: requirement(symbols) })
        .min(1, { error: requirement(symbols) })
        .max(MAX_SYMBOLS, { error: requirement(symbols) })
        .meta({ description: 'Assets, such as BTC.' }),
      date: text(
        new RegExp(DATE_PATTERN),
        'a day, written MM-DD-YYYY',
        'Day as MM-DD-YYYY. Default: today.',
      ).optional(),
    },
    async ({ symbols: asked, date }) => {
      const query = new URLSearchParams({ symbols: asked.join(','), ...(date !== undefined && { date }) });
      const { time, prices } = await pricesBody(risk.market.current(), query, new Date());
      return [
        `Closes at ${time}`,
        ...prices.map(
          ({ symbol, price, carried }) =>
            `${symbol}: ${price} USD${carried ? ', carried from an earlier close' : ''}`,
        ),
      ].join('\n');
    },
  );
}

/** What a figure, a member or a term means. */
function explainTool(
  questions: readonly AnyQuestion[],
  document: ReturnType<typeof documentOf>,
  resolved: Resolve,
): Tool {
  const meanings = new Map<string, Set<string>>();
  const note = (name: string, meaning: string) =>
    meanings.set(name, (meanings.get(name) ?? new Set()).add(meaning));
  const seen = new Set<Schema>();
  const collect = (schema: Schema): void => {
    const own = resolved(schema);
    if (seen.has(own)) return;
    seen.add(own);
    for (const [name, each] of Object.entries(own.properties ?? {})) {
      const { description, 'x-unit': unit } = resolved(each);
      if (description !== undefined)
        note(name, `${String(description)}${unit === undefined ? '' : ` [${String(unit)}]`}`);
      collect(each);
    }
    for (const each of [...(own.anyOf ?? []), ...(own.oneOf ?? [])]) collect(each);
    for (const each of [own.items, own.additionalProperties]) if (typeof each === 'object') collect(each);
  };
  for (const { path } of questions) {
    const { requestBody, responses } = document.paths[path].post as unknown as {
      readonly requestBody: Described;
      readonly responses: Readonly<Record<string, Described>>;
    };
    collect(responses['200'].content['application/json'].schema);
    collect(requestBody.content['application/json'].schema);
  }
  for (const [, term, meaning] of documentText('glossary.md').matchAll(
    /^\| (?!Term |---)(.+?) \| (.+) \|$/gm,
  ))
    for (const name of term.replaceAll('`', '').split(/, | \(/)) note(name.replace(/\)$/, ''), meaning);
  return checkedTool(
    'explain',
    'What a figure of an answer, a member of a request or a term means, with its unit.',
    {
      name: text(
        /./,
        'the name of a figure, a member or a term',
        'Its name, such as PrLiquidation, LossCVar, mc_top_up or LTV.',
      ),
    },
    async ({ name: asked }) => {
      const names = [...meanings.keys()];
      const exact = names.filter(name => name.toLowerCase() === asked.toLowerCase());
      if (exact.length === 0) {
        const near = nearestName(asked, names);
        throw new HttpRefusal(
          404,
          `There is no figure, member or term ${asked}${near === undefined ? '' : `; the nearest is ${near}`}.`,
        );
      }
      const texts = exact.flatMap(name => [...(meanings.get(name) as Set<string>)]);
      return [...texts, 'The rule behind a figure is in the resource docs://methodology.md.'].join('\n');
    },
  );
}

/** A refusal as text: the sentence and every fault. Seed and engine are no headers here. */
export function refusalText(error: unknown): string {
  const { detail, errors } = problemOf(error);
  const lines = errors.map(({ path, message }) => `${path}: ${message}`.replaceAll('header.x-', ''));
  return [detail, ...lines].join('\n');
}
