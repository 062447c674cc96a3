/**
 * The state of a view is in the address, so that a view can be shared: `#/loan?N=1.5&M=1.3`.
 *
 * Values are texts as fields hold them; members equal to their default are left out of the address. A key that a link brings
 * is taken from it and removed.
 */
import { computed, signal } from '@preact/signals';
import { apiKey } from './session.ts';

export type Fields = Readonly<Record<string, string>>;

export interface Address {
  readonly view: string;
  readonly fields: Fields;
}

/** The view and the fields of the part of an address behind `#`. */
export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return { view: path, fields: Object.fromEntries(new URLSearchParams(query)) };
}

/** The part of an address behind and with `#`; without the fields that equal their default. */
export function formatAddress({ view, fields }: Address, defaults: Fields): string {
  const changed = Object.entries(fields).filter(([name, value]) => value !== defaults[name]);
  const query = new URLSearchParams(changed).toString();
  return `#/${view}${query === '' ? '' : `?${query}`}`;
}

/** The field of a link with a key, as the start of a server prints it. */
const KEY_FIELD = 'key';

/** The address of the page, without its key. */
function arrivedAt(): Address {
  const address = parseAddress(location.hash);
  const { [KEY_FIELD]: key, ...fields } = address.fields;
  if (key === undefined) return address;
  apiKey.value = key.trim();
  const without = { ...address, fields };
  history.replaceState(null, '', formatAddress(without, {}));
  return without;
}

const current = signal<Address>(arrivedAt());
/** The last address of each view, which a way back to it opens. */
const last = signal<Readonly<Record<string, string>>>({ [current.value.view]: location.hash });

addEventListener('hashchange', () => {
  clearTimeout(writing);
  writing = undefined;
  current.value = arrivedAt();
  last.value = { ...last.value, [current.value.view]: location.hash };
});

/** The name of the view that is shown. */
export const view = computed(() => current.value.view);

/** Where a view was left. */
export const addressOf = (name: string): string => last.value[name] ?? `#/${name}`;

/** The fields of the shown view: its defaults, overridden by the address. */
export const fieldsOf = (defaults: Fields): Fields => ({ ...defaults, ...current.value.fields });

/** Changes fields of the shown view, and the address with them, without a new entry in the history. */
export function setFields(changed: Fields, defaults: Fields): void {
  const next = { view: current.value.view, fields: { ...current.value.fields, ...changed } };
  current.value = next;
  last.value = { ...last.value, [next.view]: formatAddress(next, defaults) };
  writeLater(WRITE_MS);
}

/** A slider gives a value at each frame; WebKit takes 100 addresses in 10 seconds. */
const WRITE_MS = 200;
/** After this time a browser that has refused an address takes another. */
const RETRY_MS = 2000;

let writing: ReturnType<typeof setTimeout> | undefined;

function writeLater(milliseconds: number): void {
  writing ??= setTimeout(() => {
    writing = undefined;
    try {
      history.replaceState(null, '', addressOf(current.value.view));
    } catch {
      writeLater(RETRY_MS);
    }
  }, milliseconds);
}

/** Fields that the browser of another person may not have: where figures are computed. */
const OF_THIS_BROWSER = ['where'];

/** A link to the form as it is. */
export function linkToForm(defaults: Fields): string {
  const { view: name, fields } = current.value;
  const shared = Object.entries(fields).filter(([field]) => !OF_THIS_BROWSER.includes(field));
  const { origin, pathname } = location;
  return `${origin}${pathname}${formatAddress({ view: name, fields: Object.fromEntries(shared) }, defaults)}`;
}
