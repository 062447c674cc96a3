/** A clock on which what repeats or waits does so 20 times as often: for the programs of tests whose stores are real. */
import { type Clock, processClock } from '#src/core/clock.js';

const SPEED = 20;

export const fastClock: Clock = {
  now: () => SPEED * processClock.now(),
  after: (milliseconds, action) => processClock.after(milliseconds / SPEED, action),
  every: (milliseconds, action) => processClock.every(milliseconds / SPEED, action),
};
