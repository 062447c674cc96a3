/**
 * The header `Prefer` (RFC 7240): whether the caller wants to be answered later.
 */

/** Whether a `Prefer` header holds the preference `respond-async`. */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? '')
    .split(',')
    .some(preference => preference.split(/[;=]/, 1)[0].trim().toLowerCase() === 'respond-async');
}
