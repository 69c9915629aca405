import type { JsonObject } from '../wire/json.ts'
import type { SchemaLossReporter } from './constraint-keywords.ts'
import type { LocatedSchema } from './references.ts'
import type { SchemaSubset } from './schema-subsets.ts'

/** The position of the writer in its output. */
export interface WritePosition {
  /** The references that were expanded on the way to this position. */
  readonly expandedRefs: readonly string[]
  /** The definition that is being written. */
  readonly currentDefinition: string
  /** True if there is an optional property between that definition and this position. */
  readonly isOptional: boolean
  readonly depth: number
}

/** Returns the position of a nested value. */
export function enterChild(position: WritePosition, isOptional: boolean): WritePosition {
  return { ...position, isOptional: position.isOptional || isOptional, depth: position.depth + 1 }
}

/** Writes subschemas, for the writers of object and array keywords. */
export interface SubschemaWriter {
  readonly subset: SchemaSubset
  readonly report: SchemaLossReporter
  /** Writes schemas that must all hold as one schema; undefined if no value satisfies them. */
  write(schemas: readonly LocatedSchema[], position: WritePosition): JsonObject | undefined
}
