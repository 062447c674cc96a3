/** Everything at once. */
import type { ClosingRule } from './closing-rule.ts';

export const ALL: ClosingRule = { pass: (_, shares) => shares.fill(1), closesRemainders: false };
