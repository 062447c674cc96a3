/** Calls that wait until a test ends them. */
export function heldCalls() {
  let endLast = () => {};
  return {
    wait: () =>
      new Promise<void>(resolve => {
        endLast = resolve;
      }),
    /** Ends the last call that waits. */
    end: () => endLast(),
  };
}
