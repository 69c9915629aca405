/** A tool call that may wait for its result. */
interface NamedCall {
  readonly id: string
  readonly name: string
}

/** Calls in the order of their arrival; the calls before `next` are closed. */
interface CallQueue<Call> {
  readonly calls: Call[]
  next: number
}

/**
 * The tool calls without a result, which are found by id and by name in constant time: a body may answer many calls in any
 * order.
 */
export class OpenCalls<Call extends NamedCall> {
  readonly #open = new Set<Call>()
  readonly #byId = new Map<string, CallQueue<Call>>()
  readonly #byName = new Map<string, CallQueue<Call>>()
  readonly #all: CallQueue<Call> = { calls: [], next: 0 }

  constructor(calls: Iterable<Call> = []) {
    for (const call of calls) this.add(call)
  }

  add(call: Call): void {
    this.#open.add(call)
    this.#all.calls.push(call)
    addToQueue(this.#byId, call.id, call)
    addToQueue(this.#byName, call.name, call)
  }

  /** Returns the oldest open call of an id. */
  findById(id: string): Call | undefined {
    return this.#findFirst(this.#byId.get(id))
  }

  /** Returns the oldest open call of a function. */
  findByName(name: string): Call | undefined {
    return this.#findFirst(this.#byName.get(name))
  }

  /** Returns the oldest open call. */
  findOldest(): Call | undefined {
    return this.#findFirst(this.#all)
  }

  close(call: Call): void {
    this.#open.delete(call)
  }

  /** Returns a copy; calls that are added to it or closed in it do not affect this one. */
  fork(): OpenCalls<Call> {
    return new OpenCalls(this.#open)
  }

  #findFirst(queue: CallQueue<Call> | undefined): Call | undefined {
    if (queue === undefined) return undefined
    for (; queue.next < queue.calls.length; queue.next += 1) {
      const call = queue.calls[queue.next]
      if (call !== undefined && this.#open.has(call)) return call
    }
    return undefined
  }
}

function addToQueue<Call>(queues: Map<string, CallQueue<Call>>, key: string, call: Call): void {
  const queue = queues.get(key)
  if (queue === undefined) queues.set(key, { calls: [call], next: 0 })
  else queue.calls.push(call)
}
