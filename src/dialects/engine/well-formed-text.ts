import type { Message } from '../../canonical/model/message.ts'
import { rememberTest } from '../../wire/frozen-json.ts'
import { setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'

/**
 * Returns the value with U+FFFD for every lone surrogate, and reports each text that has one; the same object if there is
 * none. Providers reject text that is not well-formed Unicode, so one such text would make every later request fail.
 */
export function toWellFormedText<T>(value: T, path: Path | undefined, context: EncodeContext): T {
  return isWellFormed(value) ? value : (replaceSurrogates(value, path, context) as T)
}

/** Returns true for a value without lone surrogates in its texts and keys. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Array.isArray(value) ? value.every(isWellFormed) : isWellFormedObject(value)
}

/** Requests repeat their tools. */
const isWellFormedObject = /* @__PURE__ */ rememberTest((value: object) => {
  for (const key in value)
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false
  return true
})

function replaceSurrogates(value: unknown, path: Path | undefined, context: EncodeContext): unknown {
  if (isWellFormed(value)) return value
  if (typeof value === 'string') {
    context.report('lone-surrogate', path)
    return value.toWellFormed()
  }
  if (Array.isArray(value))
    return value.map((item, index) => replaceSurrogates(item, child(path, index), context))
  const copy = {}
  for (const [key, item] of Object.entries(value as object)) {
    if (!key.isWellFormed()) context.report('lone-surrogate', path)
    setKey(copy, key.toWellFormed(), replaceSurrogates(item, child(path, key), context))
  }
  return copy
}

/**
 * Returns true for a value that every encoder writes as it is: no residue and no lone surrogates in it, and no reasoning, which
 * depends on the model. Most messages are plain; the walks that report and replace something are only for the others. This
 * walk allocates nothing.
 */
export function isPlainValue(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (!isPlainValue(value[index])) return false
    return true
  }
  for (const key in value) {
    if (key === 'extra' || !key.isWellFormed()) return false
    const item = (value as Record<string, unknown>)[key]
    if (item === 'reasoning' || !isPlainValue(item)) return false
  }
  return true
}

/** Returns true for a message that every encoder writes as it is; see {@link isPlainValue}. */
export const isPlainMessage: (message: Message) => boolean = /* @__PURE__ */ rememberTest(isPlainValue)
