/** A clock in milliseconds that a test moves. */
export function manualMilliseconds() {
  let at = 1000;
  return {
    now: () => at,
    /** @returns the new time */
    advance: (milliseconds: number) => {
      at += milliseconds;
      return at;
    },
  };
}
