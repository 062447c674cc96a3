/** Why a request was refused, member by member, and how it is asked again where that may help. */
import { useEffect, useRef } from 'preact/hooks';
import { Refusal } from '../api/request.ts';
import { recoveries } from '../state/outage.ts';
import { inWords, placeInWords } from './member-words.ts';

/** Faults shown in the list. */
const SHOWN_FAULTS = 20;

export function RefusalPanel(props: {
  readonly refusal: Refusal;
  /** Asks the same again. */
  retry(): void;
  /** A member in the words of the page. */
  placeOf?: ((path: string) => string) | undefined;
}) {
  const { refusal, retry, placeOf = placeInWords } = props;
  const { faults, isOutage, mayPass, retryAfterSeconds } = refusal;
  const latest = useRef(retry);
  latest.current = retry;
  const seen = useRef(recoveries.value);
  useEffect(() => {
    if (retryAfterSeconds === undefined || !mayPass) return;
    const timer = setTimeout(() => latest.current(), 1000 * retryAfterSeconds);
    return () => clearTimeout(timer);
  }, [refusal]);
  useEffect(() => {
    if (recoveries.value === seen.current) return;
    seen.current = recoveries.value;
    if (isOutage) latest.current();
  }, [recoveries.value]);
  return (
    <div class="run-bar" data-status="refused">
      <p role="status">
        <strong class="fault">{refusal.message}</strong>{' '}
        {mayPass &&
          retryAfterSeconds !== undefined &&
          `It is asked again in ${Math.ceil(retryAfterSeconds)} s.`}
        {isOutage && 'It is asked again as soon as the server answers.'}
      </p>
      {mayPass && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
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

/** An error as a refusal. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal(-1, error instanceof Error ? error.message : String(error));
