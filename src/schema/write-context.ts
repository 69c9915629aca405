import type { JsonObject } from '../wire/json.ts'
import type { SchemaLossReporter } from './constraint-keywords.ts'
import type { LocatedSchema } from './references.ts'
import type { SchemaSubset } from './schema-subsets.ts'

/** Where the walk stands in what it writes. */
export interface WritePosition {
  /** The references that were written out to get here. */
  readonly expandedRefs: readonly string[]
  /** The definition that is being written. */
  readonly currentDefinition: string
  /** Whether an optional property lies between that definition and here. */
  readonly isOptional: boolean
  readonly depth: number
}

/** The place of a part of the value. */
export function enterChild(place: WritePosition, optional: boolean): WritePosition {
  return { ...place, isOptional: place.isOptional || optional, depth: place.depth + 1 }
}

/** What the parts of the walk need of the whole. */
export interface SubschemaWriter {
  readonly subset: SchemaSubset
  readonly report: SchemaLossReporter
  /** Schemas that must all hold, written as one; undefined where nothing satisfies them. */
  write(schemas: readonly LocatedSchema[], place: WritePosition): JsonObject | undefined
}
