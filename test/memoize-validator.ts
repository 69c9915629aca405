import type { WireValidator } from './wire-validators.ts'

/** Keywords whose result depends on more of a string or number than its type and its equality with a literal. */
const VALUE_KEYWORDS: ReadonlySet<string> = new Set([
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maximum',
  'maxLength',
  'minimum',
  'minLength',
  'multipleOf',
  'pattern',
  'patternProperties',
  'propertyNames',
  'uniqueItems',
])

/** Keywords whose value maps names to schemas, so that its keys are not keywords. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['$defs', 'definitions', 'properties'])

/** Longer shapes repeat too rarely to be worth the memory. */
const MAX_SHAPE_CHARS = 4_000

/**
 * Returns a validator that remembers the shapes of valid values. A shape is the value with every string and number
 * that is no literal of the schema replaced by a placeholder of its type, so values of one shape are all valid or all
 * invalid: most events of a stream differ in their text only. A schema with other restrictions of values is not
 * memoized.
 */
export function memoizeValidator(schema: unknown, check: WireValidator): WireValidator {
  const literals = new Set<unknown>()
  if (!collectLiterals(schema, literals)) return check
  const validShapes = new Set<string>()
  return (value) => {
    const shape = shapeOf(value, literals)
    if (validShapes.has(shape)) return []
    const complaints = check(value)
    if (complaints.length === 0 && shape.length <= MAX_SHAPE_CHARS) validShapes.add(shape)
    return complaints
  }
}

/** Adds the literals of a schema; returns false if it has a keyword of `VALUE_KEYWORDS`. */
function collectLiterals(schema: unknown, literals: Set<unknown>): boolean {
  if (typeof schema !== 'object' || schema === null) return true
  return Object.entries(schema).every(([keyword, value]) => {
    if (VALUE_KEYWORDS.has(keyword)) return false
    if (keyword === 'const' || keyword === 'enum') {
      addLeaves(value, literals)
      return true
    }
    const children = SCHEMA_MAPS.has(keyword) ? Object.values(value as object) : [value]
    return children.every((child) => collectLiterals(child, literals))
  })
}

function addLeaves(value: unknown, literals: Set<unknown>): void {
  if (typeof value !== 'object' || value === null) literals.add(value)
  else for (const each of Object.values(value)) addLeaves(each, literals)
}

function shapeOf(value: unknown, literals: ReadonlySet<unknown>): string {
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each === 'object' || typeof each === 'boolean' || literals.has(each)) return each
    if (typeof each === 'number') return Number.isInteger(each) ? '\0integer' : '\0number'
    // What JSON does not have is invalid, so it must not be omitted from the shape.
    return `\0${typeof each}`
  })
}
