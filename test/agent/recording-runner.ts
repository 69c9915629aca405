import type { Runner } from 'interlingua/agent'
import { again } from '../law-assertions.ts'

/** Records the results of steps, as a durable runner does, and can crash before one of them. */
export class Recorder implements Runner {
  readonly log: Map<string, unknown>
  readonly #dies: (key: string, begun: number) => boolean
  #begun = 0

  constructor(
    log: ReadonlyMap<string, unknown> = new Map(),
    dies: (key: string, begun: number) => boolean = () => false,
  ) {
    this.log = new Map(log)
    this.#dies = dies
  }

  async step<T>(key: string, work: () => Promise<T>): Promise<T> {
    // Recorded as JSON text, as in real storage.
    if (this.log.has(key)) return again(this.log.get(key)) as T
    if (this.#dies(key, this.#begun++)) throw new Error(`died before ${key}`)
    const given = await work()
    this.log.set(key, given)
    return given
  }
}
