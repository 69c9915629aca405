/**
 * How the two kinds of work with effects, calls of the model and of tools, are carried out. A durable runner records what a
 * step gave under its key, and gives that again in place of running it twice. What a step gives is plain JSON.
 */
export interface Runner {
  /**
   * `key` is unique within a run, and the same when the run is gone through again: `model/2`, `tool/call_1`, and for an agent
   * as a tool that goes on after its first pause `tool-again/1/call_1`.
   */
  step<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Runs every step as it comes and keeps nothing. */
export const directRunner: Runner = { step: (_key, work) => work() }

/** The step of a call; after each pause of an agent inside of it, the call goes on in a step of its own. */
export function toolStepKey(id: string, pauses: number): string {
  return pauses === 0 ? `tool/${id}` : `tool-again/${pauses}/${id}`
}

/** The call whose step this is; nothing for steps of the model. */
export function parseToolStepKey(key: string): { readonly id: string; readonly pauses: number } | undefined {
  const [, again, id] = /^tool(?:-again\/(\d+))?\/(.*)$/s.exec(key) ?? []
  return id === undefined ? undefined : { id, pauses: Number(again ?? 0) }
}
