/**
 * The report on paper: what it is of stands at the foot of every page, and no text is beneath it, in browsers with boxes in the margin
 * (Chromium) and without (Firefox). The driver of WebKit does not print. A browser that is not installed is skipped.
 *
 * @module-tag slow
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportHtml } from '#src/desk/report/report.js';
import { METHODOLOGIES } from '#src/models/methodology/methodologies.js';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { CALLS, DESK_RESULT } from '../support/desk-result.ts';
import { OTHER_BROWSERS } from '../support/driven-browser.ts';
import { linesOf, pdfPages } from '../support/pdf-text.ts';

/** A title with what a style sheet and a page write in another way; calls and loans that fill pages to their end. */
const RESULT = {
  ...DESK_RESULT,
  Title: 'Book "A" </style> \\ 7',
  Data: { ...DESK_RESULT.Data, Synthetic: true },
  Calls: Array.from({ length: 40 }, (_, k) => ({ ...CALLS[0], Id: `call-${k}` })),
};

type Print = (url: string) => Promise<Buffer>;

async function printByChromium(url: string): Promise<Buffer> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(url);
    return await page.pdf({ preferCSSPageSize: true, printBackground: true });
  } finally {
    await browser.close();
  }
}

const printBy = (launch: (typeof OTHER_BROWSERS)[string]): Print | undefined =>
  launch &&
  (async url => {
    const browser = await launch();
    try {
      await browser.open(url);
      return (await browser.print?.()) ?? Buffer.alloc(0);
    } finally {
      await browser.close();
    }
  });

const BROWSERS: Readonly<Record<string, Print | undefined>> = {
  Chromium: hasBrowser ? printByChromium : undefined,
  Firefox: printBy(OTHER_BROWSERS.Firefox),
};

describe('the printed report', () => {
  let folder: string;
  let url: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'report-print-'));
    const file = join(folder, 'report.html');
    writeFileSync(file, reportHtml(RESULT, Object.values(METHODOLOGIES)));
    ({ href: url } = pathToFileURL(file));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  for (const [name, print] of Object.entries(BROWSERS))
    it.skipIf(print === undefined)(`has its foot below the text of every page in ${name}`, async () => {
      const pages = pdfPages(await (print as Print)(url)).map(linesOf);
      expect(pages.length).toBeGreaterThan(3);
      pages.forEach(([foot, lowest], k) => {
        const text = foot.text.replaceAll(/\s/g, '');
        expect(text).toMatch(/^Book"A"<\/style>.*syntheticprices/);
        if (name === 'Chromium') expect(text).toMatch(new RegExp(`${k + 1}/${pages.length}$`));
        // The letters of the foot are 8 points high.
        expect(lowest.y - foot.y, `page ${k + 1}: ${lowest.text}`).toBeGreaterThan(8);
      });
    });
});
