import { isList, isObject, type Json, type JsonSchema, setKey } from '../wire/json.ts'
import { child, type Path } from '../wire/json-pointer.ts'

/** The keywords that contain schemas: one schema, a list of schemas, or schemas by name. */
const SCHEMA_KEYWORDS: ReadonlyMap<string, 'schema' | 'list' | 'map'> = new Map(
  (
    [
      ['schema', 'items additionalItems additionalProperties contains propertyNames not if then else'],
      ['schema', 'unevaluatedItems unevaluatedProperties'],
      ['list', 'anyOf oneOf allOf prefixItems'],
      // Gemini's own form of a schema has `defs` for `$defs`.
      ['map', 'properties patternProperties dependentSchemas $defs definitions defs'],
    ] as const
  ).flatMap(([kind, keywords]) => keywords.split(' ').map((keyword) => [keyword, kind] as const)),
)

/**
 * Returns a copy of a schema in which each schema directly inside it is replaced by the result of `change`. Schemas that
 * are booleans, and values that are no schemas, stay unchanged.
 */
export function mapSubschemas(
  schema: JsonSchema,
  path: Path | undefined,
  change: (schema: JsonSchema, path: Path) => Json,
): JsonSchema {
  const changeOne = (value: Json, valuePath: Path): Json =>
    isObject(value) ? change(value, valuePath) : value
  const changed = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = SCHEMA_KEYWORDS.get(keyword)
    const keywordPath = child(path, keyword)
    // Older drafts have a list of schemas in `items`.
    if (isList(value) && (kind === 'list' || keyword === 'items'))
      setKey(
        changed,
        keyword,
        value.map((item, index) => changeOne(item, child(keywordPath, index))),
      )
    else if (kind === 'map' && isObject(value))
      setKey(changed, keyword, mapValues(value, keywordPath, changeOne))
    else setKey(changed, keyword, kind === 'schema' ? changeOne(value, keywordPath) : value)
  }
  return changed
}

function mapValues(
  schemas: JsonSchema,
  path: Path,
  changeOne: (value: Json, path: Path) => Json,
): JsonSchema {
  const changed = {}
  for (const [name, value] of Object.entries(schemas))
    setKey(changed, name, changeOne(value, child(path, name)))
  return changed
}

/** Returns true if a schema, or one inside it, passes the test. */
export function someSchema(schema: JsonSchema, test: (schema: JsonSchema) => boolean): boolean {
  if (test(schema)) return true
  let isFound = false
  mapSubschemas(schema, undefined, (part) => {
    isFound ||= someSchema(part, test)
    return part
  })
  return isFound
}
