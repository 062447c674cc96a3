/**
 * The examples of README.md and docs/*.md: found, run against the built service, and written back.
 *
 * An example is a comment, a request and an answer:
 *
 *   <!-- example: POST /loan_risk market=real compute=cpu seed=0 -->   (further: status=422, key=none, show=Output, digits=6)
 *   a fenced `json` block, sent as it stands; or a fenced `sh` block with a curl command, whose -d '...' is sent
 *   optionally a fenced `http` block: the status line, and the answer's headers worth showing
 *   a fenced `json` block: the answer
 *
 * `market=real` is the store of ../shared/data; `market=sample` the embedded sample market, which never changes for days
 * that are past. Both services run on the CPU engine, whose figures are the same on every machine, so answers are
 * compared to the last digit that is shown. Only what differs by nature (ids, the processor's name) is shown as a placeholder.
 * Takes: text. Gives: text. Used by docs/tools/update-examples.mjs and by test/docs. Needs dist.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A fenced block: its language, the lines of its fences (counted from 0), and what is between them.
 * @typedef {{ readonly language: string, readonly first: number, readonly last: number, readonly content: string }} FencedBlock
 */
/**
 * An example with the line of its marker, counted from 1, and what the marker states.
 * @typedef {{
 *   readonly line: number, readonly method: string, readonly path: string, readonly market: string,
 *   readonly compute: string, readonly seed: string, readonly status: string, readonly key: string,
 *   readonly show: string, readonly digits: string, readonly request: FencedBlock, readonly head: FencedBlock | undefined, readonly answer: FencedBlock,
 * }} Example
 */
/**
 * An answer as a document shows it.
 * @typedef {{ readonly answer: string, readonly head: string | undefined }} ShownAnswer
 */
/** @typedef {ReturnType<typeof openExampleServices>} ExampleServices */
/** @typedef {import('#src/server/config.js').ConfigVariable} ConfigVariable */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const KEY = 'the-key-of-the-examples';
const LINE_WIDTH = 110;
const PLACEHOLDER_MEMBERS = {
  request_id: () => '<request id>',
  // Every commit has another one.
  'Risk engine version': version => version.replace(/\+.*/, '+<commit>'),
  version: version => version.replace(/\+.*/, '+<commit>'),
};
const PLACEHOLDER_HEADERS = { 'x-request-id': '<request id>', 'x-compute-device': '<processor, threads>' };
/** What a marker may state, and what holds where it does not. */
const ATTRIBUTES = {
  market: { default: 'real', pattern: /^(real|sample)$/ },
  compute: { default: 'cpu', pattern: /^(auto|gpu|cpu)$/ },
  seed: { default: '0', pattern: /^\d+$/ },
  status: { default: '200', pattern: /^\d{3}$/ },
  key: { default: 'valid', pattern: /^(valid|none)$/ },
  /** A member of the answer, its path with dots between. */
  show: { default: 'all', pattern: /^[\w.-]+$/ },
  /** Significant digits of numbers that are not whole. */
  digits: { default: 'all', pattern: /^(all|[1-9])$/ },
};

/** Examples with whole answers that no reader needs. */
export const EXAMPLE_FIXTURE = 'test/fixtures/examples.md';

/** The documents with examples, as paths relative to the repository. */
export function exampleDocuments() {
  const docs = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md'));
  return ['README.md', ...docs.sort().map(name => `docs/${name}`)];
}

/**
 * The text of a file of the repository.
 * @param {string} path
 */
export const readDocument = path => readFileSync(join(ROOT, path), 'utf8');

/**
 * Fenced blocks of a text with the lines that they begin and end on, counted from 0, fences included.
 * @param {string} text
 * @returns {readonly FencedBlock[]}
 */
export function fencedBlocks(text) {
  const blocks = [];
  let open;
  text.split('\n').forEach((line, at) => {
    if (open === undefined) {
      const fence = /^(`{3,}|~{3,})\s*(\S*)/.exec(line);
      if (fence !== null) open = { language: fence[2], first: at, fence: fence[1] };
    } else if (line.trim() === open.fence) {
      const content = text.split('\n').slice(open.first + 1, at);
      blocks.push({ language: open.language, first: open.first, last: at, content: content.join('\n') });
      open = undefined;
    }
  });
  if (open !== undefined) throw new Error(`the block that line ${open.first + 1} opens is not closed`);
  return blocks;
}

/**
 * The examples of a document, in their order.
 * @param {string} text
 * @returns {readonly Example[]}
 * @throws Error for a marker that is not understood, or one without a request and an answer before the next marker
 */
export function readExamples(text) {
  const lines = text.split('\n');
  const blocks = fencedBlocks(text);
  const outside = at => !blocks.some(({ first, last }) => at >= first && at <= last);
  const markers = lines.flatMap((line, at) => (line.startsWith('<!-- example:') && outside(at) ? [at] : []));
  return markers.map((at, i) => {
    const within = blocks.filter(({ first }) => first > at && first < (markers[i + 1] ?? lines.length));
    const [request, answer] = within
      .filter(
        ({ language, content }) => language === 'json' || (language === 'sh' && content.startsWith('curl ')),
      )
      .map(bodyOfCurl);
    const head = within.find(({ language, first }) => language === 'http' && first < answer?.first);
    if (answer === undefined) throw new Error(`the example of line ${at + 1} lacks a request or an answer`);
    return { line: at + 1, ...readMarker(lines[at], at + 1), request, head, answer };
  });
}

/** A block as it is; for a curl command its body, in the place of the command. */
function bodyOfCurl(block) {
  if (block.language !== 'sh') return block;
  const body = /^curl .* -d '([^']+)'/s.exec(block.content)?.[1];
  if (body === undefined) throw new Error(`line ${block.first + 1} is no curl command with -d '...'`);
  return { ...block, content: body };
}

function readMarker(line, number) {
  const found = /^<!-- example: (GET|POST) (\/\S+)((?: \w+=\S+)*) -->$/.exec(line);
  if (found === null) throw new Error(`the example of line ${number} is not understood: ${line}`);
  const sent = Object.fromEntries(
    found[3]
      .split(' ')
      .slice(1)
      .map(pair => pair.split('=', 2)),
  );
  for (const [name, value] of Object.entries(sent)) {
    const isKnown = Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name].pattern.test(value);
    if (!isKnown) throw new Error(`the example of line ${number} states ${name}=${value}`);
  }
  const defaults = Object.entries(ATTRIBUTES).map(([name, attribute]) => [name, attribute.default]);
  return { method: found[1], path: found[2], ...Object.fromEntries(defaults), ...sent };
}

/**
 * Starts the services that examples ask for when the first of them does.
 *
 * @param {{ readonly realMarketDb: string }} options path of a market store of ../shared/data, empty where there is none
 */
export function openExampleServices({ realMarketDb }) {
  const stores = { real: realMarketDb, sample: 'sample' };
  const started = new Map();

  const start = async market => {
    if (!stores[market]) throw new Error(`there is no ${market} market to run examples on`);
    const { startService } = await import('../../dist/server/service.js');
    const { loadConfig } = await import('../../dist/server/config.js');
    const { createLogger } = await import('../../dist/host/log.js');
    const config = loadConfig({
      PORT: '0',
      API_KEYS: KEY,
      MARKET_DB: stores[market],
      COMPUTE: 'cpu',
      CPU_THREADS: '2',
    });
    return startService(config, createLogger('silent'));
  };
  const serviceOf = market => {
    if (!started.has(market)) started.set(market, start(market));
    return started.get(market);
  };

  return {
    /**
     * Base address and key of the service on a market.
     * @param {string} market
     */
    async address(market) {
      return { url: (await serviceOf(market)).url, key: KEY };
    },
    /**
     * Sends an example and gives its answer as it is to be shown.
     * @param {Example} example
     * @returns {Promise<ShownAnswer>}
     */
    async run(example) {
      const { url } = await serviceOf(example.market);
      const response = await fetch(url + example.path, {
        method: example.method,
        headers: {
          'content-type': 'application/json',
          'x-compute': example.compute,
          'x-seed': example.seed,
          ...(example.key === 'none' ? {} : { 'x-api-key': KEY }),
        },
        ...(example.method === 'POST' ? { body: example.request.content } : {}),
      });
      const body = await response.text();
      if (String(response.status) !== example.status)
        throw new Error(`line ${example.line}: status ${response.status}, not ${example.status}: ${body}`);
      const whole = withPlaceholders(
        JSON.parse(body, example.digits === 'all' ? undefined : roundedTo(example.digits)),
      );
      return {
        answer: formatJson(partOf(whole, example.show)),
        head: example.head && formatHead(example.head.content, response),
      };
    },
    async close() {
      for (const service of started.values()) await (await service).stop();
    },
  };
}

/**
 * A document in which the examples have the answers given, and the configuration table is that of the program.
 * @param {string} text
 * @param {ReadonlyMap<Example, ShownAnswer>} answers
 * @param {readonly ConfigVariable[]} configReference
 * @returns {string}
 */
export function rewrite(text, answers, configReference) {
  const lines = text.split('\n');
  // From the end, so that the line numbers before stay true.
  for (const [example, { answer, head }] of [...answers].reverse()) {
    replaceContent(lines, example.answer, answer);
    if (head !== undefined) replaceContent(lines, example.head, head);
  }
  return writeConfigurationTable(lines.join('\n'), configReference);
}

function replaceContent(lines, { first, last }, content) {
  lines.splice(first + 1, last - first - 1, ...content.split('\n'));
}

const CONFIGURATION_TABLE = /(<!-- configuration -->\n)(?:\|.*\n)*/g;

/**
 * A document in which the examples have the requests given.
 * @param {string} text
 * @param {ReadonlyMap<Example, string>} requests
 */
export function replaceRequests(text, requests) {
  const lines = text.split('\n');
  for (const [{ request }, content] of [...requests].reverse()) replaceContent(lines, request, content);
  return lines.join('\n');
}

/** Writes the table of variables after every `<!-- configuration -->`. */
function writeConfigurationTable(text, configReference) {
  return text.replace(CONFIGURATION_TABLE, (_, marker) => marker + configurationTable(configReference));
}

/**
 * Every variable with its default, its values and its meaning.
 * @param {readonly ConfigVariable[]} configReference
 * @returns {string}
 */
export function configurationTable(configReference) {
  const rows = configReference.map(({ name, default: byDefault, values, meaning }) => [
    `\`${name}\``,
    byDefault === '' ? 'none' : `\`${byDefault}\``,
    values,
    meaning,
  ]);
  const all = [['Variable', 'Default', 'Values', 'Meaning'], ['---', '---', '---', '---'], ...rows];
  return all.map(cells => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * The part of an answer that an example shows, within the members that lead to it.
 * @param {any} answer
 * @param {string} show
 * @returns {unknown}
 */
export function partOf(answer, show) {
  if (show === 'all') return answer;
  const [name, ...others] = show.split('.');
  return { [name]: others.length === 0 ? answer[name] : partOf(answer[name], others.join('.')) };
}

const roundedTo = digits => (_, value) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(digits)) : value;

function withPlaceholders(body) {
  const shown = Object.entries(PLACEHOLDER_MEMBERS)
    .filter(([name]) => Object.hasOwn(body, name))
    .map(([name, shownAs]) => [name, shownAs(body[name])]);
  return { ...body, ...Object.fromEntries(shown) };
}

/** The status line, then the headers that the block names, with their values of now. */
function formatHead(block, response) {
  const [, ...headers] = block.split('\n');
  const shown = headers.map(line => {
    const name = line.split(':', 1)[0];
    const value = response.headers.get(name);
    if (value === null) throw new Error(`the answer has no header ${name}`);
    return `${name}: ${PLACEHOLDER_HEADERS[name] ?? value}`;
  });
  return [`HTTP/1.1 ${response.status} ${response.statusText}`, ...shown].join('\n');
}

/**
 * JSON of two-space indent. A list or object that fits into its line stays in it, the outermost apart; deep inside, one
 * of numbers and texts alone is filled line by line, as a paragraph is.
 * @param {unknown} value
 * @returns {string}
 */
export function formatJson(value, indent = '', labelLength = 0) {
  const isContainer = typeof value === 'object' && value !== null;
  const members = isContainer ? Object.entries(value) : [];
  if (members.length === 0) return JSON.stringify(value);
  const line = oneLine(value);
  if (indent !== '' && indent.length + labelLength + line.length < LINE_WIDTH) return line;
  const isList = Array.isArray(value);
  const inner = `${indent}  `;
  const written = members.map(([name, member]) => {
    const label = isList ? '' : `${JSON.stringify(name)}: `;
    return label + formatJson(member, inner, label.length);
  });
  const isFlat = members.every(([, member]) => typeof member !== 'object' || member === null);
  const content = isFlat && indent.length > 2 ? filled(written, inner) : written.join(`,\n${inner}`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${inner}${content}\n${indent}${close}`;
}

/** Members separated by commas, as many in a line as fit. */
function filled(members, indent) {
  let column = indent.length + members[0].length;
  return members.reduce((text, member) => {
    const fits = column + 2 + member.length < LINE_WIDTH;
    column = (fits ? column + 2 : indent.length) + member.length;
    return text + (fits ? ', ' : `,\n${indent}`) + member;
  });
}

function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
