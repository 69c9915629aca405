import { isList, isObject, type Json, setKey } from './json.ts'

/** Values of ours that a host may repeat where nobody knows the field: an id, a model. */
export type Echoes = { readonly [name: string]: string | undefined }

const ECHO = '$repeatOf'

/** Shorter texts may be equal by chance. */
const SHORTEST = 8

/** A copy in which each text that repeats a value of ours stands for it, so that it follows a change of that value. */
export function markEchoes(value: Json, echoes: Echoes): Json {
  if (typeof value === 'string') {
    const name = Object.keys(echoes).find((key) => echoes[key] === value)
    return name === undefined || value.length < SHORTEST ? value : { [ECHO]: name }
  }
  const marked = inside(value, (each) => markEchoes(each, echoes))
  // What came and looks like one of our marks goes one level down.
  return isMark(value) ? { [ECHO]: [(value as { readonly [ECHO]: Json })[ECHO]] } : marked
}

/** The copy with every mark replaced by what the value is now; a value that is gone takes its echoes along. */
export function resolveEchoes(value: Json, echoes: Echoes): Json | undefined {
  if (!isMark(value)) return inside(value, (each) => resolveEchoes(each, echoes))
  const said = (value as { readonly [ECHO]: Json })[ECHO]
  if (Array.isArray(said)) return { [ECHO]: said[0] as Json }
  return typeof said === 'string' && Object.hasOwn(echoes, said) ? echoes[said] : undefined
}

function isMark(value: Json): boolean {
  return isObject(value) && Object.hasOwn(value, ECHO) && Object.keys(value).length === 1
}

function inside(value: Json, change: (each: Json) => Json | undefined): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((each) => change(each) ?? null)
  const copy = {}
  for (const [key, each] of Object.entries(value)) {
    const changed = change(each)
    if (changed !== undefined) setKey(copy, key, changed)
  }
  return copy
}
