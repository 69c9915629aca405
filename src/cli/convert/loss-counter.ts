import type { Loss } from '../../canonical/model/loss.ts'

/** The losses of one rule, target and path pattern: the first one, the number of its line, and how many there are. */
export interface LossCount {
  readonly loss: Loss
  /** The path with `*` instead of the indexes: losses of many messages share one pattern. */
  readonly pattern: string
  readonly line?: number
  readonly count: number
}

/** Patterns that are counted one by one: property names of untrusted input could fill the memory. */
const MAX_PATTERNS = 1000

/** The pattern of all further losses of a rule. */
const OTHER_PATHS = '/**'

/** Counts losses by rule, target and path pattern. */
export class LossCounter {
  readonly #counts = new Map<string, LossCount>()

  add(loss: Loss, line?: number): void {
    this.#merge({ loss, pattern: toPathPattern(loss.path), count: 1, ...(line !== undefined && { line }) })
  }

  /** Adds the counts of a batch whose first line follows `lineOffset` lines. */
  addAll(counts: readonly LossCount[], lineOffset: number): void {
    for (const count of counts)
      this.#merge({ ...count, ...(count.line !== undefined && { line: count.line + lineOffset }) })
  }

  /** Returns the counts in the order of their first losses. */
  toList(): readonly LossCount[] {
    return [...this.#counts.values()]
  }

  #merge(added: LossCount): void {
    const { rule, dialect } = added.loss
    const prefix = `${rule} ${dialect} `
    let key = prefix + added.pattern
    let known = this.#counts.get(key)
    if (known === undefined && this.#counts.size >= MAX_PATTERNS) {
      key = prefix + OTHER_PATHS
      known = this.#counts.get(key)
      if (known === undefined) return void this.#counts.set(key, { ...added, pattern: OTHER_PATHS })
    }
    this.#counts.set(key, known === undefined ? added : { ...known, count: known.count + added.count })
  }
}

function toPathPattern(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*')
}
