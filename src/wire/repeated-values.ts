import { isList, isObject, type Json, setKey } from './json.ts'

/** Values of ours that a host may repeat where nobody knows the field: an id, a model. */
export type RepeatableValues = { readonly [name: string]: string | undefined }

const REPEAT_KEY = '$repeatOf'

/** Shorter texts may be equal by chance. */
const MIN_REPEAT_LENGTH = 8

/** A copy in which each text that repeats a value of ours stands for it, so that it follows a change of that value. */
export function templateRepeats(value: Json, echoes: RepeatableValues): Json {
  if (typeof value === 'string') {
    const name = Object.keys(echoes).find((key) => echoes[key] === value)
    return name === undefined || value.length < MIN_REPEAT_LENGTH ? value : { [REPEAT_KEY]: name }
  }
  const marked = mapChildren(value, (each) => templateRepeats(each, echoes))
  // What came and looks like one of our marks goes one level down.
  return isPlaceholder(value)
    ? { [REPEAT_KEY]: [(value as { readonly [REPEAT_KEY]: Json })[REPEAT_KEY]] }
    : marked
}

/** The copy with every mark replaced by what the value is now; a value that is gone takes its echoes along. */
export function expandRepeats(value: Json, echoes: RepeatableValues): Json | undefined {
  if (!isPlaceholder(value)) return mapChildren(value, (each) => expandRepeats(each, echoes))
  const name = (value as { readonly [REPEAT_KEY]: Json })[REPEAT_KEY]
  if (Array.isArray(name)) return { [REPEAT_KEY]: name[0] as Json }
  return typeof name === 'string' && Object.hasOwn(echoes, name) ? echoes[name] : undefined
}

function isPlaceholder(value: Json): boolean {
  return isObject(value) && Object.hasOwn(value, REPEAT_KEY) && Object.keys(value).length === 1
}

function mapChildren(value: Json, change: (each: Json) => Json | undefined): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((each) => change(each) ?? null)
  const copy = {}
  for (const [key, each] of Object.entries(value)) {
    const changed = change(each)
    if (changed !== undefined) setKey(copy, key, changed)
  }
  return copy
}
