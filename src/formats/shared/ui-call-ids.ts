import { createUniqueNames } from '../../wire/unique-names.ts'

/** What a result answers. */
export interface CallMatch {
  /** The id under which the call went out. */
  readonly id: string
  /** Whether the call had an answer already. */
  readonly isRepeated: boolean
}

/** The calls of a stream that have the same id. */
interface CallsOfId {
  /** The sent ids of calls without a result, oldest first. */
  readonly pending: string[]
  latest: string
}

/**
 * The ids of calls: a UI finds a call by its id alone, so one that repeats goes out under another, and results follow: the
 * oldest call of that id without an answer gets the next one.
 */
export class UiCallIds {
  readonly #used = new Set<string>()
  readonly #uniqueId = createUniqueNames(this.#used, '-')
  readonly #calls = new Map<string, CallsOfId>()

  /** `known` are calls that the UI has from before. */
  constructor(known: Iterable<string> = []) {
    for (const id of known) if (!this.#used.has(id)) this.assignId(id)
  }

  /** The id under which a call goes out. */
  assignId(id: string): string {
    const uniqueId = this.#uniqueId(id)
    const calls = this.#calls.get(id) ?? { pending: [], latest: uniqueId }
    calls.latest = uniqueId
    calls.pending.push(uniqueId)
    this.#calls.set(id, calls)
    return uniqueId
  }

  /** The call that a result answers; undefined when there is none. */
  matchResult(id: string): CallMatch | undefined {
    const calls = this.#calls.get(id)
    if (calls === undefined) return undefined
    const next = calls.pending.shift()
    return { id: next ?? calls.latest, isRepeated: next === undefined }
  }
}
