/**
 * Writes the tables of docs/reference.md from the description that the program gives of itself, openapi.json: members of
 * requests and answers with unit, bounds, default and meaning, headers, query parameters and paths.
 *
 *   npm run reference
 *
 * A table stands between `<!-- name argument -->` and `<!-- /name -->`. The prose between tables is written by hand. The
 * request of each example is the first one of its operation in src/server/openapi/examples.ts; the answers are written by
 * docs/tools/update-examples.mjs, which `npm run reference` runs afterwards. Needs dist.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { formatJson, readExamples, replaceRequests } from './examples.mjs';
import { boundsOf, Described, groupBy, membersOf, requestMembers } from './reference-rows.mjs';

const PAGE = fileURLToPath(new URL('../reference.md', import.meta.url));

/** @typedef {Record<string, any>} JsonValue */

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
const inCode = names => names.map(name => `\`${name}\``).join(', ');
const linkTo = path => `[\`${path}\`](#post-${path.slice(1)})`;

/** The schema that a reference stands for. */
function resolved(document, schema) {
  if (schema.$ref === undefined) return schema;
  const keys = schema.$ref.slice('#/'.length).split('/');
  return keys.reduce((value, key) => value[key], document);
}

/** The schemas that a choice of choices ends in. */
function leavesOf(document, schema) {
  const { oneOf, ...rest } = resolved(document, schema);
  return oneOf?.flatMap(each => leavesOf(document, each)) ?? [rest];
}

/** Operations by path: what openapi.json has under POST. */
const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, { post }]) =>
    post?.tags.includes('Operations') ? [[path, post]] : [],
  );

const REQUEST_HEAD = ['Member', 'Unit', 'Bounds', 'Default', 'Meaning'];
const ANSWER_HEAD = ['Member', 'Unit', 'Bounds', 'Meaning'];

function cellsOf({ name, unit, bounds, presence, meaning, innerPlace }, path, head) {
  const inner =
    innerPlace &&
    (innerPlace.path === path ? '' : `${linkTo(innerPlace.path)}: `) + inCode([innerPlace.name]);
  const text = inner === undefined ? meaning : `${meaning} Members as in ${inner}.`;
  return [inCode([name]), unit, bounds, ...(head === REQUEST_HEAD ? [presence] : []), text];
}

/** A table of members behind a sentence for each earlier operation that has some of them alike. */
function membersTable(title, head, members, described, path) {
  const { rows, alike } = described.rowsOf(members, path);
  const sentences = [...alike].map(([other, names]) => `As in ${linkTo(other)}: ${inCode(names)}.`);
  const cells = rows.map(row => cellsOf(row, path, head));
  return [
    ...(title === '' ? [] : [`**${title}**`]),
    ...sentences,
    ...(cells.length === 0 ? [] : [table(head, cells)]),
  ].join('\n\n');
}

const MEBIBYTE = 1 << 20;
const withSize = text =>
  text.replace(/At most (\d+) bytes\.$/, (_, bytes) =>
    bytes < MEBIBYTE ? `At most ${bytes / 1024} KiB.` : `At most ${bytes / MEBIBYTE} MiB.`,
  );

/** Description and tables of each operation by path. */
function operationTexts(document) {
  const requests = new Described();
  const answers = new Described();
  const textOf = (path, { description, requestBody, responses }) => {
    const alternatives = leavesOf(document, requestBody.content['application/json'].schema);
    const { isFlat, types, members } = requestMembers(alternatives);
    const answer = resolved(document, responses['200'].content['application/json'].schema);
    const { Arguments, Output, Results } = answer.properties;
    const sent = new Set(['model', ...members.map(({ name }) => name)]);
    const added = membersOf(Arguments).filter(({ name }) => !sent.has(name));
    const result = Output ?? Results;
    return [
      description,
      withSize(requestBody.description),
      `\`${isFlat ? 'model' : 'type'}\` is ${types.slice(0, -1).join(', ')} or ${types.at(-1)}.`,
      membersTable(
        isFlat ? 'Members of the body' : 'Members of `params`',
        REQUEST_HEAD,
        members,
        requests,
        path,
      ),
      membersTable(
        `Members of \`${Output ? 'Output' : 'Results'}\``,
        ANSWER_HEAD,
        membersOf(result),
        answers,
        path,
      ),
      ...(result.description === undefined ? [] : [result.description]),
      ...(added.length === 0
        ? []
        : [membersTable('Members that `Arguments` gains', ANSWER_HEAD, added, answers, path)]),
    ].join('\n\n');
  };
  return Object.fromEntries(operationsOf(document).map(([path, post]) => [path, textOf(path, post)]));
}

const PARAMETER_HEAD = ['Name', 'Values', 'Default', 'Meaning'];
const parameterCells = ({ name, schema, description }) => [
  inCode([name]),
  boundsOf(schema),
  schema.default === undefined ? '' : inCode([schema.default]),
  description,
];

/** Query parameters of the operations that `takes` picks, each once for those that describe it alike. */
function queryTable(document, isShown) {
  const operations = operationsOf(document);
  const uses = operations.flatMap(([path, { parameters }]) =>
    parameters.filter(isShown).map(parameter => ({ path, cells: parameterCells(parameter) })),
  );
  const alike = groupBy(uses, ({ cells }) => JSON.stringify(cells));
  const rows = [...alike.values()].map(group => {
    const [name, ...others] = group[0].cells;
    return [
      name,
      group.length === operations.length ? 'all' : inCode(group.map(({ path }) => path)),
      ...others,
    ];
  });
  return table(['Name', 'Operations', ...PARAMETER_HEAD.slice(1)], rows);
}

const isOfTapes = ({ in: place, description }) => place === 'query' && description.startsWith('text/csv: ');

/** Members that `include` adds, with the operations that offer each. */
function includeTable(document) {
  const answers = operationsOf(document).map(
    ([, { responses }]) => resolved(document, responses['200'].content['application/json'].schema).properties,
  );
  /** What an answer has under the name of a value. */
  const added = value => {
    const name = value[0].toUpperCase() + value.slice(1);
    const found = answers.find(properties => name in properties);
    return found === undefined ? {} : resolved(document, found[name]);
  };
  const queries = operationsOf(document).map(([path, { parameters }]) => ({
    path,
    include: parameters.find(({ name }) => name === 'include'),
  }));
  const offers = queries.map(({ path, include }) => [path, include.schema.items.enum]);
  /** Words on a value that adds no member of its own: `value: Words.` in the description of the parameter. */
  const wordsOn = value =>
    queries.map(({ include }) => include.description.match(`\\b${value}: ([^.]+\\.)`)?.[1]).find(Boolean);
  const names = [...new Set(offers.flatMap(([, values]) => values))];
  const rows = names.map(name => {
    const paths = offers.flatMap(([path, values]) => (values.includes(name) ? [path] : []));
    const { description = wordsOn(name) } = added(name);
    if (description === undefined) throw new Error(`no words for include=${name}`);
    return [inCode([name]), paths.length === offers.length ? 'all' : inCode(paths), description];
  });
  return table(['Value', 'Operations', 'Adds'], rows);
}

const METHODS = ['get', 'post', 'delete'];

/** What stands between the comments of a name. */
const WRITERS = {
  requestHeaders: ({ components }) =>
    table(PARAMETER_HEAD, Object.values(components.parameters).map(parameterCells)),
  answerHeaders: ({ components }) =>
    table(
      ['Header', 'Values', 'Meaning'],
      Object.entries(components.headers).map(([name, header]) => {
        const [header_, values, , meaning] = parameterCells({ name, ...header });
        return [header_, values, meaning];
      }),
    ),
  query: document =>
    queryTable(
      document,
      parameter => parameter.in === 'query' && parameter.name !== 'include' && !isOfTapes(parameter),
    ),
  include: includeTable,
  model: document =>
    membersTable('', ANSWER_HEAD, membersOf(document.components.schemas.Model), new Described(), ''),
  tapes: document =>
    table(
      PARAMETER_HEAD.filter(name => name !== 'Default'),
      document.paths['/book_risk'].post.parameters.filter(isOfTapes).map(parameter => {
        const [name, values, , meaning] = parameterCells(parameter);
        return [name, values, meaning.replace('text/csv: ', '')];
      }),
    ),
  faultCodes: ({ components: { schemas } }) => {
    const { code } = schemas.Problem.properties.errors.items.properties;
    return table(
      ['Code', 'Meaning'],
      Object.entries(code['x-meanings']).map(([name, meaning]) => [inCode([name]), meaning]),
    );
  },
  paths: ({ paths }) =>
    table(
      ['Path', 'Key', 'Meaning'],
      Object.entries(paths).flatMap(([path, described]) =>
        METHODS.filter(method => described[method] !== undefined).map(method => [
          inCode([`${method.toUpperCase()} ${path}`]),
          described[method].security?.length === 0 ? 'no' : 'yes',
          described[method].summary,
        ]),
      ),
    ),
};

const REGION = /^(<!-- (\w+)(?: (\/\S+))? -->\n)[\s\S]*?^(<!-- \/\2 -->)$/gm;

/**
 * The page with the tables and the requests that the program declares.
 * @param {string} page
 * @param {JsonValue} document openapi.json
 * @param {Readonly<Record<string, readonly unknown[]>>} requests examples of each operation by path
 * @returns {string}
 * @throws Error where an operation has no table in the page, or the page asks for one that does not exist
 */
export function referenceOf(page, document, requests) {
  const operations = operationTexts(document);
  const missing = new Set(Object.keys(operations));
  const text = page.replace(REGION, (_, open, name, path, close) => {
    missing.delete(path);
    const content = name === 'operation' ? operations[path] : WRITERS[name]?.(document);
    if (content === undefined) throw new Error(`no declaration for ${open.trim()}`);
    return `${open}\n${content}\n\n${close}`;
  });
  if (missing.size > 0)
    throw new Error(`the page lacks ${[...missing].map(path => `<!-- operation ${path} -->`)}`);
  const own = readExamples(text).filter(
    ({ status, request }) => status === '200' && request.language === 'json',
  );
  const replacements = own.map(example => [example, formatJson(requests[example.path][0])]);
  return replaceRequests(text, new Map(replacements));
}

/** What the built program declares. */
export async function declared() {
  const { QUESTIONS } = await import('../../dist/question/questions.js');
  const { PROBLEMS } = await import('../../dist/server/answers/problem.js');
  const { openApiDocument } = await import('../../dist/server/openapi/document.js');
  const { EXAMPLES } = await import('../../dist/server/openapi/examples.js');
  return {
    document: openApiDocument({ version: '0.0.0', routes: QUESTIONS, problems: PROBLEMS }),
    requests: EXAMPLES,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { document, requests } = await declared();
  const page = readFileSync(PAGE, 'utf8');
  const text = referenceOf(page, document, requests);
  if (text !== page) writeFileSync(PAGE, text);
}
