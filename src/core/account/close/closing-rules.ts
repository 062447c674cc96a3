/** The closing rules by name. */
import type { ClosingRuleName } from '../../plan/product/account.ts';
import { ALL } from './all.ts';
import type { ClosingRule } from './closing-rule.ts';
import { ENOUGH } from './enough.ts';
import { ONE } from './one.ts';
import { PORTION } from './portion.ts';
import { SHARE } from './share.ts';
import { TIER } from './tier.ts';

export const CLOSING: Readonly<Record<ClosingRuleName, ClosingRule>> = {
  all: ALL,
  share: SHARE,
  enough: ENOUGH,
  one: ONE,
  portion: PORTION,
  tier: TIER,
};
