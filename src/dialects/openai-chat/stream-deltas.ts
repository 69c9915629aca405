import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'

/** Deltas as one: texts are joined, and fragments of one call are one entry. */
export function mergedDeltas(deltas: readonly JsonObject[]): JsonObject {
  const [first = {}] = deltas
  return deltas.length < 2 ? first : mergedBy(deltas, mergedValues)
}

/** Objects as one, by what is made of the values of each key: all at once, so that many cost no more than their length. */
function mergedBy(
  objects: readonly JsonObject[],
  merge: (values: readonly Json[], key: string) => Json,
): JsonObject {
  const found = new Map<string, Json[]>()
  for (const each of objects) {
    for (const [key, value] of Object.entries(each)) {
      const values = found.get(key)
      if (values === undefined) found.set(key, [value])
      else values.push(value)
    }
  }
  return Object.fromEntries(Array.from(found, ([key, values]) => [key, merge(values, key)]))
}

function mergedValues(values: readonly Json[], key: string): Json {
  const last = values.at(-1) ?? null
  if (typeof last === 'string') return lastOf(values, isText).join('')
  if (isList(last)) {
    const entries = lastOf(values, isList).flat(1) as readonly Json[]
    return key === 'tool_calls' ? mergedCalls(entries) : entries
  }
  return mergedFields(values)
}

/** Objects are one; of anything else the last counts. */
function mergedFields(values: readonly Json[]): Json {
  const last = values.at(-1) ?? null
  return isJsonObject(last) ? mergedDeltas(lastOf(values, isJsonObject)) : last
}

function mergedCalls(calls: readonly Json[]): readonly Json[] {
  const byIndex = new Map<Json | undefined, JsonObject[]>()
  for (const call of calls) {
    if (!isObject(call)) continue
    const known = byIndex.get(call['index'])
    if (known === undefined) byIndex.set(call['index'], [call])
    else known.push(call)
  }
  return [...byIndex.values()].map((same) => mergedBy(same, mergedFields))
}

/** The values of a kind behind the last one of another kind. */
function lastOf<T extends Json>(values: readonly Json[], is: (value: Json) => value is T): readonly T[] {
  return values.slice(values.findLastIndex((value) => !is(value)) + 1) as T[]
}

function isJsonObject(value: Json): value is JsonObject {
  return isObject(value)
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}
