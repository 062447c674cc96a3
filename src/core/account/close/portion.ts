/**
 * A part of one row: of the largest maintenance that has not had its turn, `portion` of a notional above `above`, else all; once all have had it,
 * the whole of the first. With `again`, rows take turns in the order sent, each turn the larger of the portion and `above`.
 */
import { type ClosingEvent, type ClosingRule, leading } from './closing-rule.ts';

export const PORTION: ClosingRule = {
  pass: (event, shares) => (event.terms.again ? inTurns(event, shares) : onceEach(event, shares)),
  closesRemainders: true,
};

function onceEach({ state, terms: { portion = 1, above = 0 }, turned }: ClosingEvent, shares: Float64Array) {
  const { open, maintenance, notional } = state;
  const next = leading(maintenance, row => open[row] > 0 && turned[row] === 0);
  if (next < 0) {
    shares[leading(maintenance, row => open[row] > 0)] = 1;
    return;
  }
  turned[next] = 1;
  shares[next] = notional[next] > above ? portion : 1;
}

function inTurns(event: ClosingEvent, shares: Float64Array) {
  const {
    state: { open, notional },
    terms: { portion = 1, above = 0 },
  } = event;
  do event.turn = (event.turn + 1) % open.length;
  while (open[event.turn] === 0);
  const size = notional[event.turn];
  shares[event.turn] = Math.min(1, Math.max(portion * size, above) / size);
}
