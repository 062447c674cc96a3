/** The order of a column of values. As a worker of long columns it needs no kernel. */
import type { RatesAtHorizon } from '../../core/product/advance-rate.ts';
import { ratesOfColumn } from './advance-rate-columns.ts';
import type { OrderTask } from './column-run.ts';
import { type ColumnTails, columnTails } from './value-at-risk-columns.ts';

export default function orderOf(task: OrderTask): ColumnTails | RatesAtHorizon {
  return task.kind === 'tails' ? columnTails(task) : ratesOfColumn(task);
}
