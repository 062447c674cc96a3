/** The forms of a result: the same bytes from the command and from a server. */
import { reportHtml } from '../../desk/report/report.ts';
import type { DeskResult } from '../../desk/result.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';

export const resultText = (result: DeskResult): string => `${JSON.stringify(result, null, 2)}\n`;

export const reportPage = (result: DeskResult): string => reportHtml(result, Object.values(METHODOLOGIES));
