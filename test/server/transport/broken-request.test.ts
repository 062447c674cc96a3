/** Requests that cannot be read, on connections of the test. */
import { expect, it } from 'vitest';
import { refuseBrokenRequest, refuseTunnel } from '#src/server/transport/broken-request.js';
import { collectLog } from '../../support/log-lines.ts';

function refused(
  code: string,
  { writable = true, headersSent = false, id = undefined as string | undefined } = {},
) {
  const { log, lines } = collectLog();
  const sent: string[] = [];
  const state = { destroyed: false };
  const socket = {
    writable,
    on: () => {},
    end: (text: string) => void sent.push(text),
    destroy: () => {
      state.destroyed = true;
    },
  };
  const response = id === undefined && !headersSent ? undefined : { headersSent, getHeader: () => id };
  refuseBrokenRequest(Object.assign(new Error('broken'), { code }), socket as never, response as never, log);
  return { lines, sent, ...state };
}

it.each([
  ['HPE_INVALID_METHOD', 400, 'Bad Request', 'The request is not readable HTTP.'],
  [
    'HPE_HEADER_OVERFLOW',
    431,
    'Request Header Fields Too Large',
    'The headers of the request are too large.',
  ],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'Request Timeout', 'The request was not sent completely in time.'],
])(
  'A request that ends with %s is answered %d, and its connection is closed',
  (code, status, title, detail) => {
    const { lines, sent, destroyed } = refused(code, { id: 'mine' });
    const [head, body] = sent[0].split('\r\n\r\n');
    expect(JSON.parse(body)).toEqual({
      type: 'about:blank',
      title,
      status,
      detail,
      errors: [],
      request_id: 'mine',
    });
    expect(head.split('\r\n')).toEqual([
      `HTTP/1.1 ${status} ${title}`,
      'Content-Type: application/problem+json',
      'x-request-id: mine',
      'Cache-Control: no-store',
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]);
    expect([sent.length, destroyed]).toEqual([1, false]);
    // The application logs a request that it has named.
    expect(lines).toEqual([]);
    const unnamed = refused(code).lines;
    expect(unnamed).toEqual([expect.objectContaining({ status, reason: code, msg: 'refused unread' })]);
  },
);

it('A request without an id is given one', () => {
  expect(JSON.parse(refused('HPE_INVALID_METHOD').sent[0].split('\r\n\r\n')[1]).request_id).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

it.each([
  ['ECONNRESET', {}],
  ['HPE_INVALID_METHOD', { writable: false }],
  ['HPE_INVALID_METHOD', { headersSent: true, id: 'mine' }],
])('A connection that is lost or has a part of an answer is closed without words: %s %j', (code, terms) => {
  const { lines, sent, destroyed } = refused(code, terms);
  expect([lines, sent, destroyed]).toEqual([[], [], true]);
});

it('A tunnel is refused with the methods that there are', () => {
  const { log, lines } = collectLog();
  const sent: string[] = [];
  refuseTunnel({ on: () => {}, end: (text: string) => void sent.push(text) } as never, log);
  expect(sent[0]).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
  expect(sent[0]).toContain('\r\nAllow: GET, HEAD, POST, DELETE\r\n');
  expect(lines).toEqual([expect.objectContaining({ method: 'CONNECT', status: 405, msg: 'refused unread' })]);
});
