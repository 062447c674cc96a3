/**
 * The state of a view is in the address, so that a view can be shared: `#/loan?N=1.5&M=1.3`.
 *
 * Values are texts as the person typed them; members equal to their default are left out of the address.
 */
import { computed, signal } from '@preact/signals';

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

const current = signal<Address>(parseAddress(location.hash));
addEventListener('hashchange', () => {
  current.value = parseAddress(location.hash);
});

/** The name of the view that is shown. */
export const view = computed(() => current.value.view);

/** The fields of the shown view: its defaults, overridden by the address. */
export const fieldsOf = (defaults: Fields): Fields => ({ ...defaults, ...current.value.fields });

/** Changes fields of the shown view, and the address with them, without a new entry in the history. */
export function setFields(changed: Fields, defaults: Fields): void {
  const next = { view: current.value.view, fields: { ...current.value.fields, ...changed } };
  current.value = next;
  history.replaceState(null, '', formatAddress(next, defaults));
}
