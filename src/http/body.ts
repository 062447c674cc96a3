/**
 * Reads a JSON body, or says why it is none: 415, 413, 400, in this order.
 *
 * Gives: `ctx.request.body`, any JSON value, of a request of at most one mebibyte.
 * Must not know: what the body should hold. An own member `__proto__` is left for the schema to refuse.
 */
import bodyParser from 'koa-bodyparser';
import type { Context, Middleware } from './context.ts';
import { unlessAborted } from './deadline.ts';
import { HttpRefusal } from './problem.ts';

/** Refuses whatever does not say that it is JSON in UTF-8, not compressed. */
export const requireJson: Middleware = async (ctx, next) => {
  const [type, ...parameters] = ctx
    .get('content-type')
    .split(';')
    .map(part => part.trim().toLowerCase());
  const charset = parameters.find(parameter => parameter.startsWith('charset'));
  if (type !== 'application/json' || (charset !== undefined && !/^charset\s*=\s*"?utf-8"?$/.test(charset)))
    throw new HttpRefusal(415, 'The body must be sent with Content-Type: application/json (UTF-8).');
  const encoding = ctx.get('content-encoding').toLowerCase();
  if (encoding !== '' && encoding !== 'identity')
    throw new HttpRefusal(415, 'The body must be sent without a Content-Encoding.');
  await next();
};

const options = {
  enableTypes: ['json'],
  // `requireJson` has decided; the parser's own idea of a content type is not asked.
  detectJSON: () => true,
  strict: false,
  jsonLimit: '1mb',
  onProtoPoisoning: 'ignore',
  onerror(error: Error & { status?: number; type?: string }, ctx: Context) {
    // Too late, or nobody there any more: that is why the body did not come to its end.
    ctx.state.signal.throwIfAborted();
    if (error.status === 413) throw new HttpRefusal(413, 'The body is larger than one mebibyte.');
    if (!(error instanceof SyntaxError)) throw new HttpRefusal(400, 'The body could not be read to its end.');
    const place = / at position \d+/.exec(error.message)?.[0] ?? '';
    throw new HttpRefusal(400, `The body is not JSON${place}.`);
  },
};

const parse: Middleware = bodyParser(options);
const nothingMore = async () => {};

/** Parses the body, as long as the deadline allows; an empty one is not JSON. */
export const readJson: Middleware = async (ctx, next) => {
  const { signal } = ctx.state;
  try {
    await unlessAborted(Promise.resolve(parse(ctx, nothingMore)), signal);
  } catch (error) {
    // What is still to come of the body is not waited for.
    if (signal.aborted) ctx.set('Connection', 'close');
    throw error;
  }
  if (ctx.request.rawBody === '') throw new HttpRefusal(400, 'The body is empty, which is not JSON.');
  await next();
};
