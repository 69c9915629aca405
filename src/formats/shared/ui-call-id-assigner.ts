import { createUniqueNamer } from '../../wire/unique-names.ts'

/** Assigns unique ids to tool calls. A result belongs to the oldest call of its id that has no result. */
export class UiCallIdAssigner {
  readonly #used = new Set<string>()
  readonly #uniqueId = createUniqueNamer(this.#used, '-')
  /** By id: the UI ids of the calls without a result, oldest first, and of the latest call. */
  readonly #calls = new Map<string, { readonly pending: string[]; latest: string }>()

  /** `known` are the ids of calls that the UI already has. */
  constructor(known: Iterable<string> = []) {
    for (const id of known) if (!this.#used.has(id)) this.assignId(id)
  }

  /** Returns the UI id of a new tool call. */
  assignId(id: string): string {
    const uniqueId = this.#uniqueId(id)
    const calls = this.#calls.get(id) ?? { pending: [], latest: uniqueId }
    calls.latest = uniqueId
    calls.pending.push(uniqueId)
    this.#calls.set(id, calls)
    return uniqueId
  }

  /** Returns the UI id of a call that is running or waits for approval. */
  findOpenCall(id: string): string | undefined {
    const calls = this.#calls.get(id)
    return calls && (calls.pending[0] ?? calls.latest)
  }

  /** Returns the UI id of the call of a result, and whether that call already had one. */
  matchResult(id: string): { readonly id: string; readonly isRepeated: boolean } | undefined {
    const calls = this.#calls.get(id)
    if (calls === undefined) return undefined
    const next = calls.pending.shift()
    return { id: next ?? calls.latest, isRepeated: next === undefined }
  }
}
