/** Views that send their request at the press of a button, and show its answer until the next. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Refusal } from '../api/request.ts';
import { type Fields, fieldsOf, setFields } from '../state/address.ts';
import { apiKey } from '../state/session.ts';
import type { FormContext } from '../ui/fields.tsx';
import { KeyPrompt } from '../ui/key-prompt.tsx';
import { RefusalPanel } from '../ui/refusal-panel.tsx';

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
  const busy = useSignal(false);
  const form: FormContext = {
    fields,
    faults: refusal.value?.faults ?? [],
    set: changed => setFields(changed, defaults),
  };
  const clear = () => {
    answered.value = undefined;
    refusal.value = undefined;
  };
  const run = async (ask: () => Promise<Summarised<A>>) => {
    busy.value = true;
    refusal.value = undefined;
    try {
      answered.value = await ask();
    } catch (error) {
      answered.value = undefined;
      refusal.value = error instanceof Refusal ? error : new Refusal(0, String(error));
    }
    busy.value = false;
  };
  return { fields, form, answered, refusal, busy, clear, run };
}

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
  ask(): Promise<Summarised<A>>;
  children: ComponentChildren;
}) {
  const { of, title, lead, submit, isReady = true, ask, children } = props;
  return (
    <form
      class="panel"
      aria-label={title}
      onSubmit={event => {
        event.preventDefault();
        void of.run(ask);
      }}
    >
      <h2>{title}</h2>
      <p class="lead">{lead}</p>
      {children}
      <button type="submit" disabled={of.busy.value || apiKey.value === '' || !isReady}>
        {of.busy.value ? 'Computing' : submit}
      </button>
    </form>
  );
}

/** The results of such a view: the key that is missing, the refusal, what to do first, or the answer. */
export function OnceResults<A>({
  of: { answered, refusal, busy },
  before,
  meanwhile,
  placeOf,
  children,
}: {
  of: AskedOnce<A>;
  /** Shown before the first answer, and while that is computed. */
  before: string;
  meanwhile: string;
  placeOf?: (path: string) => string;
  children: (answer: A) => ComponentChildren;
}) {
  const nothing = answered.value === undefined && refusal.value === undefined && apiKey.value !== '';
  return (
    <section class="results" aria-label="Results" aria-busy={busy.value}>
      <KeyPrompt />
      {refusal.value !== undefined && (
        <RefusalPanel refusal={refusal.value} {...(placeOf === undefined ? {} : { placeOf })} />
      )}
      {nothing && <p class="waiting">{busy.value ? meanwhile : before}</p>}
      {answered.value !== undefined && (
        <>
          <p role="status" data-status="done" class="run-bar">
            {answered.value.summary}
          </p>
          {children(answered.value.answer)}
        </>
      )}
    </section>
  );
}
