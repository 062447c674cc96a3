/**
 * Every view as it looks, in both themes, on a desk and on a phone, against pictures that are kept in `snapshots`.
 *
 * The pictures are thumbnails: each pixel is the mean of 64 or more of the page. The page serves its font, so lines break at the same
 * places on every machine. A missing panel, a wrong theme or a table out of its place changes whole areas. So a thumbnail may differ by 3 % of the range on average, and 4 % of its
 * pixels by more than a quarter of the range. `UPDATE_SNAPSHOTS=1` draws them anew.
 *
 * @module-tag slow
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { checkEveryAnswer } from '../support/checked-answers.ts';
import {
  addressOfView,
  answered,
  type ConsoleUnderTest,
  startConsole,
  VIEW_NAMES,
} from '../support/console.ts';

const FOLDER = join(import.meta.dirname, 'snapshots');
/** Pixels of the page across which one of a thumbnail goes. */
const SCALE = 8;
const MAX_MEAN = 0.03;
const MAX_FAR = 0.04;
/** A pixel that differs by more is far off, as a part of the range. */
const FAR = 0.25;

const SIZES = { desk: { width: 1280, height: 960 }, phone: { width: 392, height: 848 } } as const;
const THEMES = ['light', 'dark'] as const;

const CASES = THEMES.flatMap(theme =>
  (Object.keys(SIZES) as (keyof typeof SIZES)[]).map(size => [theme, size] as const),
);

interface Thumbnail {
  /** A PNG, base64. */
  readonly png: string;
  /** Red, green and blue of each pixel, 0 to 255. */
  readonly values: readonly number[];
}

/** A PNG smaller by a factor, made in the page, which has what reads and writes PNG. */
const thumbnail = (page: Page, png: string, factor: number): Promise<Thumbnail> =>
  page.evaluate(
    async ([source, scale]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(image.width / Number(scale));
      canvas.height = Math.round(image.height / Number(scale));
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return {
        png: canvas.toDataURL('image/png').replace(/^[^,]*,/, ''),
        values: Array.from(data).filter((_, i) => i % 4 < 3),
      };
    },
    [png, factor] as const,
  );

checkEveryAnswer();

/** A row of `GET /symbols`. */
interface SymbolRow {
  readonly last_day: string;
  readonly hours: { readonly last: string } | null;
  readonly age_seconds: number;
}

/** The row as if its series had ended on a day of the past, half an hour ago. */
const endedThen = (row: SymbolRow): SymbolRow => ({
  ...row,
  last_day: '2026-11-23',
  hours: row.hours && { ...row.hours, last: '2026-11-24T12:00Z' },
  age_seconds: 1800,
});

describe.skipIf(!hasBrowser)('the look of the console', () => {
  let under: ConsoleUnderTest;
  /** A page that has no policy against pictures in addresses. */
  let bench: Page;

  beforeAll(async () => {
    under = await startConsole();
    bench = await under.context.newPage();
    mkdirSync(FOLDER, { recursive: true });
    // The sample market ends at the present hour: dates and ages of other widths would break lines elsewhere.
    await under.context.route('**/symbols', async route => {
      const response = await route.fetch();
      const answer = (await response.json()) as { symbols: SymbolRow[] };
      await route.fulfill({ response, json: { ...answer, symbols: answer.symbols.map(endedThen) } });
    });
  });

  afterAll(async () => under?.close());

  // One page of each view, which changes its theme and size as a visitor's does.
  describe.each(VIEW_NAMES)('of the %s view', view => {
    let page: Page;

    beforeAll(async () => {
      ({ page } = await under.open(`#/${addressOfView(view)}`));
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await answered(page, view);
    });

    afterAll(async () => page?.close());

    it.each(CASES)('is that of its picture, %s, %s', async (theme, size) => {
      await page.setViewportSize(SIZES[size]);
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      // Charts are drawn one frame after the figures.
      await page.evaluate(
        () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      await page.evaluate(() => scrollTo(0, 0));
      const shot = (await page.screenshot({ animations: 'disabled' })).toString('base64');
      const now = await thumbnail(bench, shot, SCALE);
      const path = join(FOLDER, `${view}-${theme}-${size}.png`);
      if (process.env.UPDATE_SNAPSHOTS === '1') writeFileSync(path, Buffer.from(now.png, 'base64'));
      expect(existsSync(path), `${path} is missing: UPDATE_SNAPSHOTS=1 draws it`).toBe(true);
      const kept = await thumbnail(bench, readFileSync(path).toString('base64'), 1);
      expect(now.values.length).toBe(kept.values.length);
      const differences = now.values.map((value, i) => Math.abs(value - kept.values[i]) / 255);
      const mean = differences.reduce((sum, each) => sum + each, 0) / differences.length;
      const far = differences.filter(each => each > FAR).length / differences.length;
      expect(mean, `mean difference of ${view}, ${theme}, ${size}`).toBeLessThan(MAX_MEAN);
      expect(far, `share of pixels far off in ${view}, ${theme}, ${size}`).toBeLessThan(MAX_FAR);
    });
  });

  it('tells pictures of different views and themes apart', async () => {
    const read = async (name: string) =>
      (await thumbnail(bench, readFileSync(join(FOLDER, `${name}.png`)).toString('base64'), 1)).values;
    const apart = async (one: string, other: string) => {
      const [a, b] = [await read(one), await read(other)];
      return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]) / 255, 0) / a.length;
    };
    expect(await apart('loan-light-desk', 'loan-dark-desk')).toBeGreaterThan(10 * MAX_MEAN);
    expect(await apart('loan-light-desk', 'data-light-desk')).toBeGreaterThan(MAX_MEAN);
    expect(await apart('loan-light-desk', 'book-light-desk')).toBeGreaterThan(MAX_MEAN);
  });
});
