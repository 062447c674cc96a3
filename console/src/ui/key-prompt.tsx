/** Asks for the key while there is none. */
import { apiKey, refusedKey } from '../state/session.ts';
import { SECRET } from './secret.ts';

export function KeyPrompt() {
  const isRefused = apiKey.value !== '' && refusedKey.value === apiKey.value;
  if (apiKey.value !== '' && !isRefused) return null;
  return (
    <form
      class="key-prompt"
      aria-label="API key"
      onSubmit={event => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('key');
        if (typeof typed === 'string') apiKey.value = typed.trim();
      }}
    >
      <h3>{isRefused ? 'This key is not valid here' : 'This server needs a key'}</h3>
      <p class="hint">
        The operator of the server has it; a server without keys prints one when it starts. The key stays in
        this tab.
      </p>
      <div class="key-row">
        <input {...SECRET} name="key" aria-label="API key of this server" autofocus required />
        <button type="submit">Open</button>
      </div>
    </form>
  );
}
