import type { JsonObject } from '../wire/json.ts'
import type { SubsetContext } from './constraint-keywords.ts'
import type { LocatedSchemas } from './schema-references.ts'

/** The position of the writer in its output. */
export interface SchemaWritePosition {
  /** The references that were expanded on the way to this position. */
  readonly expandedRefs: readonly string[]
  /** The definition that is being written. */
  readonly currentDefinition: string
  /** True if there is an optional property between that definition and this position. */
  readonly isOptional: boolean
  readonly depth: number
}

/** Returns the position of a nested value. */
export function createChildPosition(position: SchemaWritePosition, isOptional = false): SchemaWritePosition {
  return { ...position, isOptional: position.isOptional || isOptional, depth: position.depth + 1 }
}

/** A schema in the form of the subset; undefined if no value satisfies it. */
export type WrittenSchema = JsonObject | undefined

/** Writes the schemas of nested values, for the writers of object and array keywords. */
export interface NestedSchemaWriter extends SubsetContext {
  /** Writes schemas that must all hold as one schema. */
  write(schemas: LocatedSchemas, isOptional?: boolean): WrittenSchema
}
