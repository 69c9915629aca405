import { isList, isObject, type Json, setKey } from './json.ts'

/** Canonical values, such as an id or a model, that a host may repeat in fields that the dialect does not know. */
export type RepeatableValues = { readonly [name: string]: string | undefined }

const REPEAT_KEY = '$repeatOf'

/** The minimum length of a repeat: shorter texts may be equal by chance. */
const MIN_REPEAT_LENGTH = 8

/**
 * Replaces each text that equals a canonical value with a placeholder, so that it follows later changes of that value.
 */
export function replaceRepeatsByPlaceholders(value: Json, canonical: RepeatableValues): Json {
  if (typeof value === 'string') {
    const name = Object.keys(canonical).find((key) => canonical[key] === value)
    return name === undefined || value.length < MIN_REPEAT_LENGTH ? value : { [REPEAT_KEY]: name }
  }
  const templated = mapChildren(value, (item) => replaceRepeatsByPlaceholders(item, canonical))
  // A wire value that looks like a placeholder is escaped by nesting it in a list.
  return isPlaceholder(value)
    ? { [REPEAT_KEY]: [(value as { readonly [REPEAT_KEY]: Json })[REPEAT_KEY]] }
    : templated
}

/** Replaces each placeholder with the current canonical value; a field whose value no longer exists is omitted. */
export function fillPlaceholders(value: Json, canonical: RepeatableValues): Json | undefined {
  if (!isPlaceholder(value)) return mapChildren(value, (item) => fillPlaceholders(item, canonical))
  const name = (value as { readonly [REPEAT_KEY]: Json })[REPEAT_KEY]
  if (Array.isArray(name)) return { [REPEAT_KEY]: name[0] as Json }
  return typeof name === 'string' && Object.hasOwn(canonical, name) ? canonical[name] : undefined
}

function isPlaceholder(value: Json): boolean {
  return isObject(value) && Object.hasOwn(value, REPEAT_KEY) && Object.keys(value).length === 1
}

function mapChildren(value: Json, change: (item: Json) => Json | undefined): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((item) => change(item) ?? null)
  const copy = {}
  for (const [key, item] of Object.entries(value)) {
    const changed = change(item)
    if (changed !== undefined) setKey(copy, key, changed)
  }
  return copy
}
