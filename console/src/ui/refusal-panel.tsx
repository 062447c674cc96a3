/** Why a request was refused, member by member. */
import type { Refusal } from '../api/request.ts';
import { inWords, placeInWords } from './member-words.ts';

/** Faults shown in the list. */
const SHOWN_FAULTS = 20;

export function RefusalPanel(props: {
  refusal: Pick<Refusal, 'message' | 'faults'>;
  /** A member in the words of the page. */
  placeOf?(path: string): string;
}) {
  const { refusal, placeOf = placeInWords } = props;
  const { faults } = refusal;
  return (
    <div class="run-bar" data-status="refused">
      <p role="status">
        <strong class="fault">{refusal.message}</strong>
      </p>
      <ul class="faults">
        {faults.slice(0, SHOWN_FAULTS).map(({ path, message }) => (
          <li key={path + message}>
            <strong>{placeOf(path)}:</strong> {inWords(message, path)}
          </li>
        ))}
        {faults.length > SHOWN_FAULTS && <li>And {faults.length - SHOWN_FAULTS} more.</li>}
      </ul>
    </div>
  );
}
