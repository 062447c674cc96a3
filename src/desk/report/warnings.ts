/** Warnings of answers beside the figures that they concern. */
import { type WarningTopic, warningTopic } from '../../core/warnings.ts';
import type { DeskResult } from '../result.ts';
import { type Html, html, NOTHING } from './html.ts';

/** The warnings on a topic, an item each, with the methodologies that gave them. */
export const warningItems = ({ Warnings }: Pick<DeskResult, 'Warnings'>, topic: WarningTopic): Html[] =>
  Warnings.filter(({ Code }) => warningTopic(Code) === topic).map(
    ({ Message, Models }) => html`<li>${Message} <span class="small">(${Models.join(', ')})</span></li>`,
  );

/** The same as a list; nothing where there are none. */
export function warningList(result: Pick<DeskResult, 'Warnings'>, topic: WarningTopic): Html {
  const items = warningItems(result, topic);
  return items.length === 0 ? NOTHING : html`<ul class="warnings">${items}</ul>`;
}
