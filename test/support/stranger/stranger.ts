/**
 * A program of somebody who has the address of a server, a key, and its /openapi.json: it asks everything that is described
 * there and holds every answer against the description.
 *
 * Gives: what it asked, and everything that was not as described. Must not know: the project (a test holds its imports).
 */
import { bodyBy, faultyBodies } from './bodies.ts';
import { type Alternative, Description, linesOf, type OpenApi, type Operation } from './description.ts';

/** Enough for an answer, quickly. */
const PATHS = 500;
const POLL_MILLISECONDS = 20;

export interface Findings {
  /** Exchanges by method and path. */
  readonly asked: Record<string, number>;
  /** Forms of bodies that were answered with 200. */
  readonly answered: string[];
  readonly faults: string[];
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}
interface Job {
  readonly id: string;
  readonly state: string;
  readonly result: string | null;
}
type Sent = Readonly<Record<string, string>>;

export class Stranger {
  readonly findings: Findings = { asked: {}, answered: [], faults: [] };
  private readonly url: string;
  private readonly key: Sent;
  private readonly api: Description;

  private constructor(url: string, key: string, document: OpenApi) {
    this.url = url;
    this.api = new Description(document);
    const scheme = document.components.securitySchemes?.apiKey as { readonly name: string };
    this.key = { [scheme.name]: key };
  }

  static async meet(url: string, key: string): Promise<Stranger> {
    const response = await fetch(`${url}/openapi.json`);
    return new Stranger(url, key, (await response.json()) as OpenApi);
  }

  /** The operations. A report is none: it says when it was made, so none equals another. */
  operations(): [string, Operation][] {
    return this.api.operationsBy('post').filter(([, { tags }]) => tags.includes('Operations'));
  }

  /** Everything that needs no key, or no more than one. */
  async askServicePaths(): Promise<void> {
    for (const [path, operation] of this.api.operationsBy('get')) {
      if (path.includes('{')) continue;
      if (operation.security?.length === 0) {
        this.expect(`GET ${path}`, (await this.send('GET', path, operation, { headers: {} })).status, 200);
        continue;
      }
      this.expect(
        `GET ${path}`,
        (await this.send('GET', path, operation, undefined, queryOf(operation))).status,
        200,
      );
      if (operation.security !== undefined) continue;
      const refused = await this.send('GET', path, operation, { headers: {} });
      this.expect(`GET ${path} without a key`, refused.status, 401);
    }
  }

  /** One form of the body of an operation: its examples, its defaults, and its bounds where `withBounds`. */
  async askAlternative(
    path: string,
    operation: Operation,
    alternative: Alternative,
    withBounds: boolean,
  ): Promise<void> {
    const { name, schema, examples } = alternative;
    if (examples.length === 0) this.findings.faults.push(`${name} has no example`);
    for (const [i, example] of examples.entries()) {
      const said = `POST ${path} ${name} example ${i}`;
      const answer = await this.post(path, operation, example, { 'x-seed': '7' });
      this.expect(said, answer.status, 200);
      if (answer.status !== 200) continue;
      this.findings.answered.push(name);
      this.expect(`${said}: x-seed`, answer.headers.get('x-seed'), '7');
      const withText = (value: object) => ({ ...answer, text: JSON.stringify(value) });
      const later = withText({ ...JSON.parse(answer.text), AddedLater: 1 });
      this.note(`${said}, of a later version`, this.api.answerFaults(operation, later));
      if (this.api.answerFaults(operation, withText({ AddedLater: 1 })).length === 0)
        this.findings.faults.push(`${said}: the description allows any answer`);
      const short = shortened(this.api, alternative, example);
      const made = await this.post(path, operation, bodyBy(this.api, schema, short), { 'x-seed': '3' });
      const left = await this.post(path, operation, short, { 'x-seed': '3' });
      this.expect(`${said} with the defaults of its schema`, made.text, left.text);
      const faulty = withBounds ? faultyBodies(this.api, schema, example) : [];
      for (const [member, body] of faulty) {
        const refusal = await this.post(path, operation, body);
        const paths = refusal.status === 422 ? errorPathsOf(refusal) : [`status ${refusal.status}`];
        if (!paths.includes(member)) this.findings.faults.push(`${said}: ${member} beyond a bound: ${paths}`);
      }
    }
  }

  /** The other ways of an answer: rows, and a job. */
  async askOtherWays(path: string, operation: Operation, example: unknown): Promise<void> {
    const rows = await this.post(path, operation, example, { accept: 'text/csv' });
    this.expect(`POST ${path} as rows`, rows.headers.get('content-type')?.split(';')[0], 'text/csv');
    if (rows.text.split('\r\n').length < 3) this.findings.faults.push(`POST ${path}: no rows: ${rows.text}`);
    const direct = await this.post(path, operation, example);
    const begun = await this.post(path, operation, example, { prefer: 'respond-async' });
    this.expect(`POST ${path} as a job`, begun.status, 202);
    if (begun.status !== 202) return;
    const place = begun.headers.get('location') as string;
    const job = await this.ended(place);
    this.expect(`the job of ${path}`, job.state, 'done');
    if (job.result === null) return;
    const result = await this.send('GET', job.result, this.at('/jobs/{id}/result', 'get'));
    this.expect(`the result of the job of ${path}`, result.text, direct.text);
    const one = this.at('/jobs/{id}', 'delete');
    this.expect(`DELETE ${place}`, (await this.send('DELETE', place, one)).status, 204);
    const gone = await this.send('GET', place, this.at('/jobs/{id}', 'get'));
    this.expect(`GET ${place} after that`, gone.status, 404);
  }

  /** One question of each operation in one request. */
  async askBatch(): Promise<void> {
    const examples = this.operations().map(
      ([path, operation]) => [path, this.firstExample(operation)] as const,
    );
    const lines = examples.map(([path, body], i) => ({ id: `line-${i}`, path, seed: 5, body }));
    const [type, media] = Object.entries(this.at('/batch', 'post').requestBody?.content ?? {})[0];
    for (const line of lines)
      this.note(`a line of /batch for ${line.path}`, this.api.faultsOf(media.schema, line));
    const answer = await this.send('POST', '/batch', this.at('/batch', 'post'), {
      headers: { ...this.key, 'content-type': type },
      body: lines.map(line => JSON.stringify(line)).join('\n'),
    });
    this.expect('POST /batch', answer.status, 200);
    const answers = linesOf(answer.text) as { id?: string; body?: unknown; done?: number }[];
    this.expect('the last line of /batch', answers.at(-1)?.done, lines.length);
    for (const { id, path, body } of lines) {
      const operation = this.at(path, 'post');
      const direct = await this.post(path, operation, body, { 'x-seed': '5' });
      const found = answers.find(each => each.id === id);
      this.expect(`${path} in a batch`, JSON.stringify(found?.body), JSON.stringify(JSON.parse(direct.text)));
    }
  }

  async askAll(): Promise<void> {
    await this.askServicePaths();
    for (const [path, operation] of this.operations()) {
      const body = this.firstExample(operation);
      const refused = await this.post(path, operation, body, {}, {});
      this.expect(`POST ${path} without a key`, refused.status, 401);
      for (const [i, alternative] of this.api.alternativesOf(operation).entries())
        await this.askAlternative(path, operation, alternative, i === 0);
      await this.askOtherWays(path, operation, body);
    }
    await this.askBatch();
  }

  private firstExample(operation: Operation): unknown {
    const [alternative] = this.api.alternativesOf(operation);
    return shortened(this.api, alternative, alternative.examples[0]);
  }

  private at(path: string, method: 'get' | 'post' | 'delete'): Operation {
    const operation = this.api.document.paths[path]?.[method];
    if (operation === undefined) throw new Error(`${method} ${path} is not described.`);
    return operation;
  }

  private async ended(place: string): Promise<Job> {
    for (;;) {
      const state = await this.send('GET', place, this.at('/jobs/{id}', 'get'));
      const job = JSON.parse(state.text) as Job;
      if (!['queued', 'running'].includes(job.state)) return job;
      await new Promise(resolve => setTimeout(resolve, POLL_MILLISECONDS));
    }
  }

  private post(
    path: string,
    operation: Operation,
    body: unknown,
    headers: Sent = {},
    key = this.key,
  ): Promise<Answer> {
    return this.send('POST', path, operation, {
      headers: { 'content-type': 'application/json', ...key, ...headers },
      body: JSON.stringify(body),
    });
  }

  private async send(
    method: string,
    path: string,
    operation: Operation,
    init: RequestInit = { headers: this.key },
    query = '',
  ): Promise<Answer> {
    const response = await fetch(this.url + path + query, { method, ...init });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    const said = `${method} ${path.replace(/(?<=\/jobs\/)[^/]+/, '{id}')}`;
    this.findings.asked[said] = (this.findings.asked[said] ?? 0) + 1;
    this.note(said, this.api.answerFaults(operation, answer));
    return answer;
  }

  private note(said: string, faults: readonly string[]): void {
    this.findings.faults.push(...faults.map(fault => `${said}: ${fault}`));
  }

  private expect(said: string, found: unknown, wanted: unknown): void {
    if (found !== wanted) this.findings.faults.push(`${said} is ${found}, not ${wanted}`);
  }
}

/** An example with fewer paths, where it holds a number of them. */
const shortened = (api: Description, { schema }: Alternative, example: unknown): unknown =>
  withoutDefaults(example, bodyBy(api, schema, example, PATHS));

/** The members of `made` that the example holds too. */
function withoutDefaults(example: unknown, made: unknown): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return made;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      withoutDefaults(value, (made as Record<string, unknown>)[name] ?? value),
    ]),
  );
}

const errorPathsOf = ({ text }: Answer): string[] =>
  (JSON.parse(text) as { errors: { path: string }[] }).errors.map(({ path }) => path);

/** The parameters that an operation needs, with the example of each. */
function queryOf({ parameters = [] }: Operation): string {
  const needed = parameters.flatMap(parameter =>
    'in' in parameter && parameter.in === 'query' && parameter.required
      ? [[parameter.name, String(parameter.schema.examples?.[0])]]
      : [],
  );
  return needed.length === 0 ? '' : `?${new URLSearchParams(needed)}`;
}
