import { isObject, type JsonSchema } from '../wire/json.ts'
import { child, type Path, toPointer } from '../wire/json-pointer.ts'
import { memoizeBySchema } from '../wire/memoize.ts'
import { mapSubschemas } from './map-subschemas.ts'
import { isPatternChecked } from './schema-checks.ts'

/** A pattern of a schema that no value is checked against. */
export interface UncheckedPattern {
  /** JSON pointer to the pattern in the schema. */
  readonly path: string
  readonly message: string
}

const MESSAGE =
  'The pattern is not checked: it needs backtracking (a backreference, a lookbehind or flags) or too many states.'

/**
 * Returns the patterns of a schema that validation skips, because they cannot be matched in linear time. Every value matches
 * them. An invalid pattern is not listed: validation throws for it.
 */
export const listUncheckedPatterns: (schema: JsonSchema) => readonly UncheckedPattern[] = memoizeBySchema(
  (root) => {
    const found: UncheckedPattern[] = []
    const visit = (schema: JsonSchema, path: Path | undefined): JsonSchema => {
      const { pattern, patternProperties } = schema
      if (typeof pattern === 'string' && isUnchecked(pattern))
        found.push({ path: toPointer(child(path, 'pattern')), message: MESSAGE })
      for (const key of isObject(patternProperties) ? Object.keys(patternProperties) : [])
        if (isUnchecked(key))
          found.push({ path: toPointer(child(child(path, 'patternProperties'), key)), message: MESSAGE })
      return mapSubschemas(schema, path, visit)
    }
    visit(root, undefined)
    return Object.freeze(found)
  },
)

function isUnchecked(pattern: string): boolean {
  try {
    return !isPatternChecked(pattern)
  } catch {
    return false
  }
}
