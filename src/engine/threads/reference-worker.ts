/** The worker thread of the double-precision reference. */
import { REFERENCE_PATHS } from '../../core/reference/products.ts';
import { type Task, type Worked, workOn } from './tasks.ts';

export default function work(task: Task): Worked {
  return workOn(task, REFERENCE_PATHS);
}
