/**
 * The settings of this visit: the key, the theme, and the unit of coverage.
 *
 * The key is in session storage only: the browser deletes it with the tab.
 */
import { effect, signal } from '@preact/signals';
import type { CoverageUnit } from '../ui/coverage.ts';

const KEY = 'collateral-risk-console.key';
const THEME = 'collateral-risk-console.theme';
const COVERAGE = 'collateral-risk-console.coverage';

/** What a browser keeps; nothing where it allows no storage: the settings then end with the page. */
function kept(storage: 'localStorage' | 'sessionStorage', item: string): string | null {
  try {
    return window[storage].getItem(item);
  } catch {
    return null;
  }
}

function keep(storage: 'localStorage' | 'sessionStorage', item: string, value: string): void {
  try {
    if (value === '') window[storage].removeItem(item);
    else window[storage].setItem(item, value);
  } catch {
    // The value of this page counts.
  }
}

export const apiKey = signal(kept('sessionStorage', KEY) ?? '');
effect(() => keep('sessionStorage', KEY, apiKey.value));

/** The key that the server has refused; another one may be right. */
export const refusedKey = signal('');

/** How coverage is shown and typed: debt over collateral in per cent, or collateral over debt. Stored in this browser. */
export const coverageUnit = signal<CoverageUnit>(kept('localStorage', COVERAGE) === 'ccr' ? 'ccr' : 'ltv');
effect(() => keep('localStorage', COVERAGE, coverageUnit.value));

export type Theme = 'system' | 'light' | 'dark';
export const theme = signal<Theme>((kept('localStorage', THEME) as Theme | null) ?? 'system');
effect(() => keep('localStorage', THEME, theme.value));

/** True where dark colours are shown. */
export const isDark = signal(false);
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => {
  const dark = theme.value === 'dark' || (theme.value === 'system' && prefersDark.matches);
  // Before the signal: what follows it reads colours from the style sheet.
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  isDark.value = dark;
};
effect(followTheme);
prefersDark.addEventListener('change', followTheme);
