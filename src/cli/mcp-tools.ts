/**
 * The tools of the MCP server: one for each question, a tape, prices, and what a figure means.
 *
 * Takes: engines and a market. Gives: names, schemas and short texts. Must not know: the protocol, transports.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { answerText } from '../library.ts';
import type { AskOptions, Risk } from '../question/open-risk.ts';
import type { AnyQuestion } from '../question/question.ts';
import { QUESTIONS } from '../question/questions.ts';
import { pricesBody } from '../server/answers/market-answers.ts';
import { HttpRefusal, PROBLEMS, problemOf } from '../server/answers/problem.ts';
import { openApiDocument } from '../server/openapi/document.ts';
import type { JsonSchema } from '../server/openapi/json-schema.ts';
import { nearestName } from '../text/nearest-name.ts';
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
  openApiDocument({ version: '', routes: QUESTIONS, problems: PROBLEMS }) as unknown as {
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
      const options = { seed, compute, include, ...call } as AskOptions;
      const text = await answerText(risk, path, request, options);
      return shortAnswer(path, JSON.parse(text) as AnswerBody, answer, resolved, Number(seed ?? 0));
    },
  };
}

/** The command `book` on a file of this computer. */
function tapeTool(environment: NodeJS.ProcessEnv): Tool {
  return {
    name: 'book_from_tape',
    description:
      'The risk of a book of loans from a loan tape on this computer (CSV or XLSX, a row for each loan). A refusal lists every faulty cell with its remedy, which is an argument for the next call.',
    inputSchema: {
      type: 'object',
      properties: {
        file: { type: 'string', description: 'Path of the tape.' },
        arguments: {
          type: 'array',
          items: { type: 'string', pattern: '^-' },
          description:
            'Options of the command book, each with its value as --option=value: --days=30, --types=STUDENT_T, --columns="Facility ID=loan_id", --skip-faulty.',
        },
      },
      required: ['file'],
      additionalProperties: false,
    },
    async run({ file, arguments: words = [] }, { signal }) {
      const asked = ['book', file, ...(words as string[])] as string[];
      if (asked.some(word => /^--(html|json|csv|calls|runs|notify|save-columns)\b/.test(word)))
        throw new HttpRefusal(
          422,
          'This tool writes no files and sends no messages: leave out options that do.',
        );
      const program = fileURLToPath(new URL('main.js', import.meta.url));
      const options = { env: environment, signal, maxBuffer: 2 ** 24 };
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        [program, ...asked],
        options,
      ).catch((ended: { readonly stdout: string; readonly stderr: string }) => ended);
      signal.throwIfAborted();
      // A limit that is breached is an exit code beside a result.
      if (stdout === '') throw new HttpRefusal(422, stderr.trim());
      return stdout;
    },
  };
}

function pricesTool(risk: Risk): Tool {
  return {
    name: 'prices',
    description: 'Last closes of assets in USD at or before the end of a day (UTC).',
    inputSchema: {
      type: 'object',
      properties: {
        symbols: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'Assets, such as BTC.',
        },
        date: { type: 'string', description: 'Day as MM-DD-YYYY. Default: today.' },
      },
      required: ['symbols'],
      additionalProperties: false,
    },
    async run({ symbols, date }) {
      const query = new URLSearchParams({
        symbols: (symbols as string[]).join(','),
        ...(date === undefined ? {} : { date: date as string }),
      });
      const { time, prices } = await pricesBody(risk.market.current(), query, new Date());
      return [
        `Closes at ${time}`,
        ...prices.map(
          ({ symbol, price, carried }) =>
            `${symbol}: ${price} USD${carried ? ', carried from an earlier close' : ''}`,
        ),
      ].join('\n');
    },
  };
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
  return {
    name: 'explain',
    description: 'What a figure of an answer, a member of a request or a term means, with its unit.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name, such as PrLiquidation, LossCVar, mc_top_up or LTV.' },
      },
      required: ['name'],
      additionalProperties: false,
    },
    async run({ name: asked }) {
      const wanted = String(asked).toLowerCase();
      const names = [...meanings.keys()];
      const exact = names.filter(name => name.toLowerCase() === wanted);
      if (exact.length === 0) {
        const near = nearestName(String(asked), names);
        throw new HttpRefusal(
          404,
          `There is no figure, member or term ${asked}${near === undefined ? '' : `; the nearest is ${near}`}.`,
        );
      }
      const texts = exact.flatMap(name => [...(meanings.get(name) as Set<string>)]);
      return [...texts, 'The rule behind a figure is in the resource docs://methodology.md.'].join('\n');
    },
  };
}

/** A refusal as text: the sentence and every fault. */
export function refusalText(error: unknown): string {
  const { detail, errors } = problemOf(error);
  return [detail, ...errors.map(({ path, message }) => `${path}: ${message}`)].join('\n');
}
