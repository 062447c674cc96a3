/**
 * Browsers in a POSIX locale name a language that Intl refuses (`en-US@posix`). uPlot passes it to Intl when it is loaded, which would
 * leave the page empty: such a name is replaced. Imported first by the page and by what imports uPlot, which may be loaded before it.
 */
function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length === 1;
  } catch {
    return false;
  }
}

if (!isTag(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US' });
