/** A warning of an answer as a notice; some with a link to the page on what to do. */

import type { Warning } from '#core/warnings.ts';
import { inWords } from './member-words.ts';

export type ShownWarning = Warning;

/** Pages of the guide by the code of the warning. */
const PAGES: Readonly<Record<string, { readonly href: string; readonly words: string }>> = {
  'gbm-tail': { href: '/docs/guide/choosing', words: 'Which methodology to choose' },
};

export function WarningNotice({ code, message }: ShownWarning) {
  const page = PAGES[code];
  return (
    <p class="notice" data-warning={code}>
      {inWords(message)}
      {page !== undefined && (
        <>
          {' '}
          <a href={page.href} target="_blank" rel="noreferrer">
            {page.words}
          </a>
        </>
      )}
    </p>
  );
}
