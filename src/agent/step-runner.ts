/**
 * Executes the two kinds of work with side effects: model calls and tool calls. A durable runner records the result of
 * a step under its key and returns the recorded result instead of executing the step twice. Results are plain JSON.
 *
 * @example
 * const recorded = new Map<string, unknown>()
 * const recordingRunner: Runner = {
 *   async step<T>(key: string, work: () => Promise<T>): Promise<T> {
 *     if (!recorded.has(key)) recorded.set(key, await work())
 *     return recorded.get(key) as T
 *   },
 * }
 */
export interface Runner {
  /**
   * Executes one step. `key` is unique within a run and the same when the run is replayed: `model/2`,
   * `tool/call_1`, or `tool-again/1/call_1` for an agent as a tool that is resumed after its first pause.
   */
  step<T>(key: string, work: () => Promise<T>): Promise<T>
}

/**
 * Executes every step immediately and records nothing. It is the default.
 *
 * @example
 * await directRunner.step('model/0', async () => 1) // 1
 */
export const directRunner: Runner = { step: (_key, work) => work() }

/** Returns the step key of a tool call. Each pause of a nested agent starts a new step. */
export function createToolStepKey(id: string, pauses: number): string {
  return pauses === 0 ? `tool/${id}` : `tool-again/${pauses}/${id}`
}

/** Returns the tool call of a step key; undefined for model steps. */
export function parseToolStepKey(key: string): { readonly id: string; readonly pauses: number } | undefined {
  const [, again, id] = /^tool(?:-again\/(\d+))?\/(.*)$/s.exec(key) ?? []
  return id === undefined ? undefined : { id, pauses: Number(again ?? 0) }
}
