/** Whether a `Prefer` header (RFC 7240) has the preference `respond-async`. */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? '')
    .split(',')
    .some(preference => preference.split(/[;=]/, 1)[0].trim().toLowerCase() === 'respond-async');
}
