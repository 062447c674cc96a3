/** The question of a job as it is written down for another server, and bytes for it. */
import { Packr } from 'msgpackr';

/** What was asked, when, and by whom. */
export interface JobQuestion {
  /** The path of the operation. */
  readonly path: string;
  /** What follows the question mark. */
  readonly query: string;
  readonly seed: string | undefined;
  readonly compute: string | undefined;
  /** The body as it was sent. */
  readonly body: Uint8Array;
  /** Milliseconds since 1970; the analysis date is fixed by it. */
  readonly moment: number;
  readonly requestId: string;
  readonly caller: string;
}

const packr = new Packr({ useRecords: false });

export const packed = (value: unknown): Uint8Array => packr.pack(value);
export const unpacked = (bytes: Uint8Array): unknown => packr.unpack(bytes);
