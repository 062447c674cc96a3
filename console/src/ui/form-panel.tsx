/** The form of a view: beside the answer on a wide screen, and behind a bar above it on a narrow one. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export function FormPanel(props: {
  readonly title: string;
  readonly lead: string;
  /** Whether a narrow screen shows the form until the visitor says otherwise: an answer comes first. */
  readonly isFirst: boolean;
  onSubmit?(): void;
  readonly children: ComponentChildren;
}) {
  const { title, lead, isFirst, onSubmit, children } = props;
  const [chosen, choose] = useState<boolean | undefined>(undefined);
  const isOpen = chosen ?? isFirst;
  return (
    <form
      class={isOpen ? 'panel open' : 'panel'}
      aria-label={title}
      onSubmit={event => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      <div class="panel-head">
        <div>
          <h2>{title}</h2>
          <p class="lead">{lead}</p>
        </div>
        <button
          type="button"
          class="quiet form-toggle"
          aria-expanded={isOpen}
          onClick={() => choose(!isOpen)}
        >
          {isOpen ? 'Close the form' : 'Change'}
        </button>
      </div>
      <div class="panel-body">{children}</div>
    </form>
  );
}

/** Fields that are folded away, under a line that says what they are set to. */
export function Folded(props: {
  readonly title: string;
  readonly note?: string;
  readonly open: boolean;
  readonly children: ComponentChildren;
}) {
  const { title, note = '', open, children } = props;
  return (
    <details class="more" open={open}>
      <summary>
        {title} {note !== '' && <span class="hint">{note}</span>}
      </summary>
      {children}
    </details>
  );
}
