import { checkNumbers } from '../../wire/numbers.ts'

/** Lets so many through at a time; the others wait in line. */
export class Gate {
  readonly #cap: number
  readonly #line: (() => void)[] = []
  #inside = 0

  constructor(cap: number) {
    checkNumbers('', { concurrency: cap }, 1)
    this.#cap = cap
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#cap) await new Promise<void>((enter) => this.#line.push(enter))
    else this.#inside += 1
    try {
      return await work()
    } finally {
      // The place goes to the next in line, or becomes free.
      const next = this.#line.shift()
      if (next === undefined) this.#inside -= 1
      else next()
    }
  }
}
