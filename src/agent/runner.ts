/**
 * How the two kinds of work with effects, calls of the model and of tools, are carried out. A durable runner records what a
 * step gave under its key, and gives that again in place of running it twice. What a step gives is plain JSON.
 */
export interface Runner {
  /** `key` is unique within a run, and the same when the run is gone through again: `model/2`, `tool/call_1`. */
  step<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Runs every step as it comes and keeps nothing. */
export const inline: Runner = { step: (_key, work) => work() }
