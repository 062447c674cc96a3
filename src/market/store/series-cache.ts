/**
 * A cache of series by their files, which versions of a store share where they did not change.
 *
 * The files of a store never change, so that no entry expires; the least recently used are dropped above the bound on memory.
 */
import type { Series } from '../series.ts';

const BYTES_PER_VALUE = 8;

export class SeriesCache {
  /** In order of use, the oldest first. Promises, so that two requests at once read a series once. */
  readonly #entries = new Map<string, Promise<Series | undefined>>();
  readonly #bytes = new Map<string, number>();
  readonly #mostBytes: number;
  #sum = 0;

  constructor(mostBytes = 512 * 2 ** 20) {
    this.#mostBytes = mostBytes;
  }

  /** The series under `name`, read where it is not cached. The next caller repeats a failed read. */
  get(name: string, read: () => Promise<Series | undefined>): Promise<Series | undefined> {
    const known = this.#entries.get(name);
    if (known !== undefined) {
      this.#entries.delete(name);
      this.#entries.set(name, known);
      return known;
    }
    const reading = read();
    this.#entries.set(name, reading);
    reading.then(
      series => {
        if (this.#entries.get(name) === reading)
          this.#count(name, BYTES_PER_VALUE * (series?.values.length ?? 0));
      },
      () => this.#entries.delete(name),
    );
    return reading;
  }

  #count(name: string, bytes: number): void {
    this.#bytes.set(name, bytes);
    this.#sum += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#sum <= this.#mostBytes || oldest === name) break;
      this.#sum -= this.#bytes.get(oldest) ?? 0;
      this.#bytes.delete(oldest);
      this.#entries.delete(oldest);
    }
  }
}
