/** The worker thread of the double-precision reference. */
import { REFERENCE_PATHS } from '../../core/reference/products.ts';
import { type Task, type TaskAnswers, workOn } from './tasks.ts';

export default function work(task: Task): TaskAnswers[Task['kind']] {
  return workOn(task, REFERENCE_PATHS);
}
