/**
 * Series that were read, kept by the file that they came from: versions of a store share what did not change.
 *
 * The files of a store never change, so nothing here is ever out of date; it is only let go when memory runs out.
 */
import type { Series } from '../series.ts';

const BYTES_PER_VALUE = 8;

export class SeriesCache {
  /** In order of use, the oldest first. Promises, so that two requests at once read a series once. */
  readonly #kept = new Map<string, Promise<Series | undefined>>();
  readonly #bytes = new Map<string, number>();
  readonly #mostBytes: number;
  #sum = 0;

  constructor(mostBytes = 512 * 2 ** 20) {
    this.#mostBytes = mostBytes;
  }

  /** The series under `name`, read where it is not kept. A failed read is tried again by the next caller. */
  get(name: string, read: () => Promise<Series | undefined>): Promise<Series | undefined> {
    const known = this.#kept.get(name);
    if (known !== undefined) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
      return known;
    }
    const reading = read();
    this.#kept.set(name, reading);
    reading.then(
      series => this.#count(name, BYTES_PER_VALUE * (series?.values.length ?? 0)),
      () => this.#kept.delete(name),
    );
    return reading;
  }

  #count(name: string, bytes: number): void {
    if (!this.#kept.has(name)) return;
    this.#bytes.set(name, bytes);
    this.#sum += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#sum <= this.#mostBytes || oldest === name) break;
      this.#sum -= this.#bytes.get(oldest) ?? 0;
      this.#bytes.delete(oldest);
      this.#kept.delete(oldest);
    }
  }
}
