import { isList, isObject, type Json, setKey } from '../../wire/json.ts'

/**
 * Removes the keys at which the SDK's reader stops reading: `__proto__`, and a `constructor` with a
 * `prototype`. Returns the same value if it contains none.
 */
export function removeForbiddenKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) {
    const items = value.map(removeForbiddenKeys)
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const copy = {}
  let changed = false
  for (const [key, item] of Object.entries(value)) {
    const kept = isForbidden(key, item) ? undefined : removeForbiddenKeys(item)
    if (kept !== item) changed = true
    if (kept !== undefined) setKey(copy, key, kept)
  }
  return changed ? copy : value
}

function isForbidden(key: string, value: Json): boolean {
  return (
    key === '__proto__' || (key === 'constructor' && isObject(value) && Object.hasOwn(value, 'prototype'))
  )
}
