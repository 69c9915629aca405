import { addUsage } from '../../canonical/model/usage.ts'
import type { UsageTotal } from '../conversation-storage.ts'
import type { UsageRowQuery } from './row-queries.ts'
import type { UsageRow } from './row-definitions.ts'

/** Sums the usage of messages by the fields of a query. */
export class UsageTotals {
  readonly #query: UsageRowQuery
  readonly #totals = new Map<string, UsageTotal>()

  constructor(query: UsageRowQuery) {
    this.#query = query
  }

  /** Adds the usage of a message, unless its day is not asked for. `session` is the id of its session. */
  add(session: string, usage: UsageRow): void {
    const { from = '', to = '9', by } = this.#query
    const { provider, model, day, ...tokens } = usage
    if (day < from || day > to) return
    const all = { session, provider, model, day }
    const group = Object.fromEntries(by.map((kind) => [kind, all[kind]]))
    this.addTotal({ ...group, answers: 1, usage: tokens })
  }

  /** Adds a total to that of the same group. */
  addTotal({ answers, usage, ...group }: UsageTotal): void {
    const name = JSON.stringify(Object.values(group))
    const sum = this.#totals.get(name) ?? { answers: 0, usage: addUsage() }
    const total = { answers: sum.answers + answers, usage: addUsage(sum.usage, usage) }
    this.#totals.set(name, { ...group, ...total })
  }

  list(): readonly UsageTotal[] {
    return [...this.#totals].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total)
  }
}
