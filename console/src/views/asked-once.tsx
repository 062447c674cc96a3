/** Views that send their request at the press of a button, and show its answer until the next. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Refusal } from '../api/request.ts';
import { type Fields, fieldsOf, setFields } from '../state/address.ts';
import { apiKey } from '../state/session.ts';
import type { FormContext } from '../ui/fields.tsx';
import { FormPanel } from '../ui/form-panel.tsx';
import { KeyPrompt } from '../ui/key-prompt.tsx';
import { asRefusal, RefusalPanel } from '../ui/refusal-panel.tsx';

/** An answer, and a sentence on its run. */
export interface Summarised<A> {
  readonly answer: A;
  readonly summary: string;
}

/** The fields of a view, what was answered or refused, and how to ask. */
export function useAskedOnce<A>(defaults: Fields) {
  const fields = fieldsOf(defaults);
  const answered = useSignal<Summarised<A> | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const running = useSignal<AbortController | undefined>(undefined);
  /** The question under way, or the last one. */
  const question = useRef<Ask<A>>(undefined);
  const form: FormContext = {
    fields,
    faults: refusal.value?.faults ?? [],
    set: changed => setFields(changed, defaults),
  };
  const stop = () => {
    running.value?.abort();
    running.value = undefined;
  };
  const clear = () => {
    stop();
    answered.value = undefined;
    refusal.value = undefined;
  };
  useEffect(() => stop, []);
  const run = async (ask: Ask<A>) => {
    stop();
    const ending = new AbortController();
    running.value = ending;
    question.current = ask;
    refusal.value = undefined;
    try {
      const answer = await ask(ending.signal);
      if (running.value === ending) answered.value = answer;
    } catch (error) {
      if (running.value === ending) refusal.value = asRefusal(error);
    }
    if (running.value === ending) running.value = undefined;
  };
  const again = () => {
    if (question.current !== undefined) void run(question.current);
  };
  return { fields, form, answered, refusal, running, clear, run, stop, again };
}

/** Sends the request of a view. @throws Refusal, or the signal's reason */
type Ask<A> = (signal: AbortSignal) => Promise<Summarised<A>>;

export type AskedOnce<A> = ReturnType<typeof useAskedOnce<A>>;

/** The form of such a view. */
export function OnceForm<A>(props: {
  of: AskedOnce<A>;
  title: string;
  lead: string;
  /** Words of the button. */
  submit: string;
  /** Whether the request is complete. */
  isReady?: boolean;
  ask: Ask<A>;
  children: ComponentChildren;
}) {
  const { of, title, lead, submit, isReady = true, ask, children } = props;
  const isBusy = of.running.value !== undefined;
  return (
    <FormPanel
      title={title}
      lead={lead}
      isFirst={of.answered.value === undefined}
      onSubmit={() => void of.run(ask)}
    >
      {children}
      <div class="run-actions">
        <button type="submit" disabled={isBusy || apiKey.value === '' || !isReady}>
          {isBusy ? 'Computing' : submit}
        </button>
        {isBusy && (
          <button type="button" class="quiet" onClick={of.stop}>
            Stop
          </button>
        )}
      </div>
    </FormPanel>
  );
}

/** The results of such a view: the key that is missing, the refusal, what to do first, or the answer. */
export function OnceResults<A>({
  of: { answered, refusal, running, again },
  first,
  before,
  meanwhile,
  placeOf,
  children,
}: {
  of: AskedOnce<A>;
  /** What comes before all answers. */
  first?: ComponentChildren;
  /** Shown before the first answer, and while that is computed. */
  before: string;
  meanwhile: string;
  placeOf?: (path: string) => string;
  children: (answer: A) => ComponentChildren;
}) {
  const nothing = answered.value === undefined && refusal.value === undefined && apiKey.value !== '';
  const isBusy = running.value !== undefined;
  const isRefused = refusal.value !== undefined;
  return (
    <section class="results" aria-label="Results" aria-busy={isBusy}>
      <KeyPrompt />
      {first}
      {refusal.value !== undefined && (
        <RefusalPanel refusal={refusal.value} retry={again} placeOf={placeOf} />
      )}
      {nothing && <p class="waiting">{isBusy ? meanwhile : before}</p>}
      {answered.value !== undefined && (
        <>
          <p role="status" class="run-bar" {...(isRefused ? {} : { 'data-status': 'done' })}>
            {isRefused && 'Below: the figures of the last request that was answered. '}
            {answered.value.summary}
          </p>
          <div class={isRefused ? 'answer stale' : ''}>{children(answered.value.answer)}</div>
        </>
      )}
    </section>
  );
}
