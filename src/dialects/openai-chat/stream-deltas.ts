import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'

/** Two deltas as one: texts are joined, and fragments of one call are one entry. */
export function mergedDeltas(a: JsonObject, b: JsonObject): JsonObject {
  if (Object.keys(a).length === 0) return b
  const out: Record<string, Json> = { ...a }
  for (const [key, value] of Object.entries(b)) out[key] = mergedValues(key, out[key], value)
  return out
}

function mergedValues(key: string, before: Json | undefined, value: Json): Json {
  if (typeof before === 'string' && typeof value === 'string') return before + value
  if (isList(before) && isList(value))
    return key === 'tool_calls' ? mergedCalls(before, value) : [...before, ...value]
  return isObject(before) && isObject(value) ? mergedDeltas(before, value) : value
}

function mergedCalls(a: readonly Json[], b: readonly Json[]): readonly Json[] {
  const out = [...a]
  for (const call of b) {
    const at = out.findIndex((each) => isObject(each) && isObject(call) && each['index'] === call['index'])
    out[at === -1 ? out.length : at] = at === -1 ? call : joined(out[at] as JsonObject, call as JsonObject)
  }
  return out
}

function joined(a: JsonObject, b: JsonObject): JsonObject {
  const out: Record<string, Json> = { ...a }
  for (const [key, value] of Object.entries(b)) {
    const before = out[key]
    out[key] = isObject(before) && isObject(value) ? mergedDeltas(before, value) : value
  }
  return out
}
