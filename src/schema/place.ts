import type { JsonObject } from '../wire/json.ts'
import type { Lose } from './keywords.ts'
import type { Placed } from './refs.ts'
import type { Subset } from './targets.ts'

/** Where the walk stands in what it writes. */
export interface Place {
  /** The references that were written out to get here. */
  readonly stack: readonly string[]
  /** The definition that is being written. */
  readonly current: string
  /** Whether an optional property lies between that definition and here. */
  readonly optional: boolean
  readonly depth: number
}

/** The place of a part of the value. */
export function inside(place: Place, optional: boolean): Place {
  return { ...place, optional: place.optional || optional, depth: place.depth + 1 }
}

/** What the parts of the walk need of the whole. */
export interface Writer {
  readonly subset: Subset
  readonly lose: Lose
  /** Schemas that must all hold, written as one; undefined where nothing satisfies them. */
  node(schemas: readonly Placed[], place: Place): JsonObject | undefined
}
