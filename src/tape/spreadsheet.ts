/**
 * The bound of a spreadsheet: a file of some kilobytes can unpack to gigabytes.
 *
 * Takes: the bytes of an XLSX file. Must not know: who reads it.
 */
import { Unzip, UnzipInflate } from 'fflate';

/** 256 MiB. */
const MAX_BYTES = 2 ** 28;
/** Bytes that are unpacked at once; they unpack to at most a thousand times as many. */
const PIECE_BYTES = 2 ** 16;

/** Counts the bytes that the file unpacks to. @throws Error where they are more than `most` */
export function refuseTooLarge(bytes: Uint8Array, most = MAX_BYTES): void {
  let unpacked = 0;
  const archive = new Unzip(part => {
    part.ondata = (error, piece) => {
      if (error) throw error;
      unpacked += piece.length;
      if (unpacked > most) throw new Error(`it unpacks to more than ${most} bytes`);
    };
    part.start();
  });
  archive.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    archive.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
}
