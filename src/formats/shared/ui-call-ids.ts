/** What a result answers. */
export interface CallMatch {
  /** The id under which the call went out. */
  readonly id: string
  /** Whether the call had an answer already. */
  readonly isRepeated: boolean
}

interface CallsOfId {
  /** Calls without an answer, oldest first. */
  readonly unanswered: string[]
  latest: string
  count: number
}

/**
 * The ids of calls: a UI finds a call by its id alone, so one that repeats goes out under another, and results follow: the
 * oldest call of that id without an answer gets the next one.
 */
export class UiCallIds {
  readonly #used = new Set<string>()
  readonly #calls = new Map<string, CallsOfId>()

  /** `known` are calls that the UI has from before. */
  constructor(known: Iterable<string> = []) {
    for (const id of known) if (!this.#used.has(id)) this.assignId(id)
  }

  /** The id under which a call goes out. */
  assignId(id: string): string {
    const calls = this.#calls.get(id) ?? { unanswered: [], latest: id, count: 0 }
    this.#calls.set(id, calls)
    do calls.latest = ++calls.count === 1 ? id : `${id}-${calls.count}`
    while (this.#used.has(calls.latest))
    this.#used.add(calls.latest)
    calls.unanswered.push(calls.latest)
    return calls.latest
  }

  /** The call that a result answers; undefined when there is none. */
  matchResult(id: string): CallMatch | undefined {
    const calls = this.#calls.get(id)
    if (calls === undefined) return undefined
    const next = calls.unanswered.shift()
    return { id: next ?? calls.latest, isRepeated: next === undefined }
  }
}
