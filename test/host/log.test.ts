/** A log whose reader stalls. */
import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createLogDestination, loggedError } from '#src/host/log.js';

/** A stream whose reader takes lines only when the test says so. */
class StalledOutput extends EventEmitter {
  written: string[] = [];
  writableLength = 0;
  write(line: string): void {
    this.written.push(line);
    this.writableLength += line.length;
  }
  take(): void {
    this.writableLength = 0;
    this.emit('drain');
  }
}

it('The log stores lines up to its bound, drops and counts the others, and reports them once the reader is back', () => {
  const output = new StalledOutput();
  const log = createLogDestination(output, 30);
  for (let i = 0; i < 10; i++) log.write('ten chars\n');
  expect(output.written).toHaveLength(4);
  expect(log.dropped).toBe(6);
  output.take();
  expect(JSON.parse(output.written[4])).toMatchObject({
    level: 40,
    dropped: 6,
    msg: 'log lines were dropped',
  });
  output.take();
  expect(output.written).toHaveLength(5);
});

it('The log counts lines that cannot be written, and reports them with the next one that can', () => {
  const written: string[] = [];
  const disk = { full: true };
  const output = Object.assign(new EventEmitter(), {
    writableLength: 0,
    write(line: string, done: (error?: Error) => void) {
      if (!disk.full) written.push(line);
      done(disk.full ? new Error('ENOSPC') : undefined);
    },
  });
  const log = createLogDestination(output);
  for (let i = 0; i < 3; i++) log.write('lost\n');
  expect([log.dropped, written]).toEqual([3, []]);
  disk.full = false;
  log.write('kept\n');
  log.write('kept\n');
  expect([log.dropped, written.length, written[0]]).toEqual([3, 3, 'kept\n']);
  expect(JSON.parse(written[1])).toMatchObject({ dropped: 3, msg: 'log lines were dropped' });
});

it('The log has no character that a terminal obeys, and its lines stay JSON', () => {
  const output = new StalledOutput();
  const paths = ['\u001b[2J', '\u009b31m', '\u007f', '\u202e', '\u2066', 'M\u00fcller'];
  createLogDestination(output).write(`${JSON.stringify({ paths })}\n`);
  expect(output.written[0]).toMatch(/^[ -~\u00fc]*\n$/);
  expect(JSON.parse(output.written[0])).toEqual({ paths });
});

it('The log does not end the process when its reader ends', () => {
  const output = new StalledOutput();
  createLogDestination(output);
  expect(() => output.emit('error', new Error('EPIPE'))).not.toThrow();
});

it('The log waits for its last lines until the time limit', async () => {
  const output = new StalledOutput();
  const log = createLogDestination(output);
  log.write('last\n');
  await log.flush(1);
  expect(output.listenerCount('drain')).toBe(1);
  const flushed = log.flush(60_000);
  output.take();
  await flushed;
  expect(output.writableLength).toBe(0);
});

it('The log names the command of an error of Redis, without its arguments, and no certificate of TLS', () => {
  const command = { name: 'hello', args: ['3', 'AUTH', 'default', 'the-password'] };
  const error = Object.assign(new Error('WRONGPASS invalid password'), { command, code: 'EAUTH' });
  const logged = loggedError(error);
  expect(logged).toMatchObject({ message: 'WRONGPASS invalid password', code: 'EAUTH', command: 'hello' });
  expect(JSON.stringify(logged)).not.toContain('the-password');
  expect(loggedError(new Error('other'))).not.toHaveProperty('command');
  const cert = { raw: Buffer.from('certificate') };
  const refused = loggedError(Object.assign(new Error('m'), { cert, code: 'ERR_TLS_CERT_ALTNAME_INVALID' }));
  expect(refused).toMatchObject({ message: 'm', code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  expect(refused).not.toHaveProperty('cert');
  expect(refused).not.toHaveProperty('command');
});

it('The log has no member of an error that holds something, such as the connection of a driver', () => {
  const client = { connectionParameters: { user: 'risk' }, secretKey: 962078822 };
  const lost = Object.assign(new Error('Connection terminated unexpectedly'), { client, code: '57P01' });
  const all = Object.assign(new AggregateError([lost], 'none'), {
    errno: -111,
    faults: [{ message: 'got 5' }],
  });
  expect(Object.keys(loggedError(lost))).toEqual(['type', 'message', 'stack', 'code']);
  const { aggregateErrors, ...others } = loggedError(all) as { readonly aggregateErrors: unknown };
  expect(aggregateErrors).toEqual([loggedError(lost)]);
  expect(Object.keys(others)).toEqual(['type', 'message', 'stack', 'errno']);
});
