import type { ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'

/** The calls of one tool, or of all tools, and how many of them were examined for an open one. */
interface CallQueue {
  readonly calls: ToolCallPart[]
  position: number
}

/**
 * Gives ids to calls and results of a format whose calls may have none: a result belongs to the first call before it that has
 * no result, among those of its tool if it has a name.
 */
export class CallIdAssigner {
  readonly #all: CallQueue = { calls: [], position: 0 }
  readonly #byName = new Map<string, CallQueue>()
  readonly #usedIds = new Set<string>()
  readonly #answeredIds = new Set<string>()
  #count = 0

  /** Returns the id of the next call: the given one, or a new one. */
  callId(given?: unknown): string {
    if (typeof given === 'string' && given !== '') {
      this.#usedIds.add(given)
      return given
    }
    let id: string
    do id = `call_${(this.#count += 1)}`
    while (this.#usedIds.has(id))
    this.#usedIds.add(id)
    return id
  }

  /** Adds a call that results may follow. */
  addCall(call: ToolCallPart): void {
    this.#all.calls.push(call)
    const queue = this.#byName.get(call.name)
    if (queue === undefined) this.#byName.set(call.name, { calls: [call], position: 0 })
    else queue.calls.push(call)
  }

  /** Returns the id of the call that a result with this id and name belongs to, and the name of its tool. */
  pairResult(given: unknown, name: string | undefined): Pick<ToolResultPart, 'callId' | 'name'> {
    const call = typeof given === 'string' && given !== '' ? undefined : this.#findOpen(name)
    const callId = call?.id ?? this.callId(given)
    this.#answeredIds.add(callId)
    const tool = name ?? call?.name
    return { callId, ...(tool !== undefined && { name: tool }) }
  }

  #findOpen(name: string | undefined): ToolCallPart | undefined {
    const queue = name === undefined ? this.#all : this.#byName.get(name)
    if (queue === undefined) return undefined
    for (; queue.position < queue.calls.length; queue.position += 1) {
      const call = queue.calls[queue.position]
      if (call !== undefined && !this.#answeredIds.has(call.id)) return call
    }
    return undefined
  }
}
