/** The known name nearest to a misspelt one. */

/** Longer names are skipped: the work grows with the square of the length. */
const LONGEST = 40;

/** Differing, missing and extra letters; exchanged neighbours count once (Damerau 1964). */
function distance(a: string, b: string): number {
  const width = b.length + 1;
  const cost = new Uint8Array((a.length + 1) * width);
  for (let j = 1; j <= b.length; j++) cost[j] = j;
  for (let i = 1; i <= a.length; i++) {
    cost[i * width] = i;
    for (let j = 1; j <= b.length; j++) {
      const at = i * width + j;
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      cost[at] = Math.min(cost[at - 1] + 1, cost[at - width] + 1, cost[at - width - 1] + same);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost[at] = Math.min(cost[at], cost[at - 2 * width - 2] + 1);
    }
  }
  return cost[cost.length - 1];
}

/** A name in lower case without anything but letters and digits, and without their accents: `mcTopUp` and `mc_topup` are near `mc_top_up`. */
export const simpleName = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** The nearest of some names if at most a third of its letters differ; the first of several. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const sent = simpleName(name);
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of known) {
    const form = simpleName(each);
    if (form.length > LONGEST) continue;
    const far = distance(sent, form);
    if (far < least && far <= form.length / 3) [nearest, least] = [each, far];
  }
  return nearest;
}
