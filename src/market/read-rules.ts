/** Reads the rules file that a server or command is told of. */
import { readFileSync } from 'node:fs';
import { DEFAULT_RULES, type MarketRules, MarketRulesError, parseRules } from './rules.ts';

/** The rules of the file at `path`, the defaults where it is empty. @throws MarketRulesError */
export function readRules(path: string): MarketRules {
  if (path === '') return DEFAULT_RULES;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new MarketRulesError(
      `MARKET_RULES names ${path}, which cannot be read: ${(error as Error).message}`,
    );
  }
  return parseRules(text, path);
}
