import { LossTally } from '../loss-tally.ts'
import type { Crossing } from './check.ts'
import { type Breach, type RuleId, RULES } from './rules.ts'

/** The crossings from one form to one format. */
export interface Cell {
  documents: number
  /** How many lost meaning. */
  lossy: number
  /** How many lost none, but are said otherwise. */
  noted: number
  /** How many were refused by name. */
  refused: number
}

/** What `verify` found, all together. */
export class Tally {
  readonly matrix: Map<string, Map<string, Cell>> = new Map()
  readonly breaches: Map<RuleId, Breach[]> = new Map()
  readonly losses: LossTally = new LossTally()
  documents = 0
  unread = 0
  foreign = 0

  add(place: string, from: string, crossings: readonly Crossing[]): void {
    this.documents++
    for (const { to, losses, broken, refused } of crossings) {
      const cell = this.#cell(from, to)
      const lost = losses.some(({ severity }) => severity === 'loss')
      cell.documents++
      if (refused !== undefined) cell.refused++
      else if (lost) cell.lossy++
      else if (losses.length > 0) cell.noted++
      for (const loss of losses) this.losses.add(loss)
      for (const [rule, detail] of broken) {
        this.breaches.set(rule, [...(this.breaches.get(rule) ?? []), { place, to, detail }])
      }
    }
  }

  #cell(from: string, to: string): Cell {
    const row = this.matrix.get(from) ?? new Map<string, Cell>()
    const cell = row.get(to) ?? { documents: 0, lossy: 0, noted: 0, refused: 0 }
    this.matrix.set(from, row.set(to, cell))
    return cell
  }

  toJSON(): object {
    return {
      documents: this.documents,
      unread: this.unread,
      foreign: this.foreign,
      matrix: Object.fromEntries([...this.matrix].map(([from, row]) => [from, Object.fromEntries(row)])),
      rules: Object.keys(RULES).map((id) => ({ id, breaches: this.breaches.get(id as RuleId) ?? [] })),
      losses: this.losses,
    }
  }
}
