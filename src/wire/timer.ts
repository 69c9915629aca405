/** The longest that a timer can wait, 24 days: one that is set for longer fires at once. */
export const LONGEST_TIMER: number = 2 ** 31 - 1

/** Calls back after so many milliseconds, or never where that is longer than a timer can wait. Gives what calls it off. */
export function startTimer(milliseconds: number, callBack: () => void): () => void {
  if (milliseconds > LONGEST_TIMER) return () => {}
  const timer = setTimeout(callBack, Math.max(0, milliseconds))
  return () => clearTimeout(timer)
}
