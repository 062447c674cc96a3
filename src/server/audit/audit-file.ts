/**
 * The file of records of answers, keys and settings: JSON lines, each with the digest of the line before it, so that a line that is
 * changed or removed shows. A record is on the disk before its answer is sent.
 *
 * Must not know: what is recorded.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { RiskError } from '../../core/errors.ts';
import type { Logger } from '../../host/log.ts';
import { digestOfLine, NO_LINE } from './audit-chain.ts';

export interface AuditFile {
  /** Resolves when the record is on the disk. @throws RiskError `audit-unavailable` */
  write(record: object): Promise<void>;
  /** Whether the last record could be written. */
  readonly isWritable: boolean;
  close(): Promise<void>;
}

/** Bytes at the end of a file that are read for its last line. */
const TAIL_BYTES = 2 ** 16;

interface Waiting {
  readonly record: object;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Opens a file, which one server writes, and goes on with its chain. @throws the error of the system */
export async function openAuditFile(path: string, log: Logger, now = () => new Date()): Promise<AuditFile> {
  const file = await open(path, 'a+', 0o600);
  let { previous, size } = await endOf(file);
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let isWritable = true;

  /** Writes the waiting records together: each waits for the disk once. */
  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      let last = previous;
      const lines = taken.map(({ record }) => {
        const line = `${JSON.stringify({ time: now().toISOString(), ...record, previous: last })}\n`;
        last = digestOfLine(line);
        return line;
      });
      const bytes = Buffer.from(lines.join(''));
      try {
        await writeWhole(file, bytes);
        await file.datasync();
        [previous, size, isWritable] = [last, size + bytes.length, true];
        for (const { done } of taken) done();
      } catch (error) {
        if (isWritable)
          log.error(
            { reason: (error as NodeJS.ErrnoException).code },
            'the audit file cannot be written; no question is answered',
          );
        isWritable = false;
        // A part of a line would break the chain.
        await file.truncate(size).catch(() => {});
        const detail = 'The record of this answer could not be written, so it is not given; try again later.';
        const refusal = new RiskError('audit-unavailable', detail, { retryAfterSeconds: 5, cause: error });
        for (const { failed } of taken) failed(refusal);
      }
    }
    writing = undefined;
  }

  return {
    write: record =>
      new Promise<void>((done, failed) => {
        waiting.push({ record, done, failed });
        writing ??= writeAll();
      }),
    get isWritable() {
      return isWritable;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at, bytes.length - at)).bytesWritten;
}

/** The digest of the last line, and the length. A file that does not end with a line end was cut off: its rest is kept as a line. */
async function endOf(file: FileHandle): Promise<{ previous: string; size: number }> {
  const { size } = await file.stat();
  if (size === 0) return { previous: NO_LINE, size };
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(TAIL_BYTES),
    0,
    TAIL_BYTES,
    Math.max(0, size - TAIL_BYTES),
  );
  const text = buffer.subarray(0, bytesRead).toString();
  if (!text.endsWith('\n')) await file.write('\n');
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  const start = whole.lastIndexOf('\n', whole.length - 2) + 1;
  return { previous: digestOfLine(whole.slice(start)), size: size + whole.length - text.length };
}
