/**
 * Attributes of a field for the key: dots in place of its signs. It is no field for a password, for which browsers offer their
 * store whatever the page says: the key ends with the tab.
 */
export const SECRET = {
  type: 'text',
  class: 'secret',
  autocomplete: 'one-time-code',
  autocapitalize: 'off',
  spellcheck: false,
} as const;
