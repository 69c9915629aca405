import type { Runner } from 'interlingua/agent'
import { again } from '../law-assertions.ts'

/** Records what steps give, as a durable runner does, and dies before one of them if it is told to. */
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
    // What was recorded is JSON text in earnest.
    if (this.log.has(key)) return again(this.log.get(key)) as T
    if (this.#dies(key, this.#begun++)) throw new Error(`died before ${key}`)
    const given = await work()
    this.log.set(key, given)
    return given
  }
}
