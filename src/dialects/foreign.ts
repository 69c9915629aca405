import { type ForeignSlots, reportResidue } from '../canonical/losses/report-residue.ts'
import type { Extra } from '../canonical/model/extra.ts'
import { isSealed } from '../wire/frozen.ts'
import { isObject } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import type { Encoding } from './encoding.ts'

/** Keys whose values are free data: what is called `extra` in there is not ours. */
const free: ReadonlySet<string> = new Set([
  'arguments',
  'metadata',
  'value',
  'input',
  'options',
  'schema',
  'source',
])

/**
 * Reports every residue that the target does not write: what another wire format adds, and unknown keys. Data that only a
 * response has (`<dialect>/response`, `<dialect>/choice`) is no part of a request. `at` is the path of the value.
 */
export function reportForeign(
  value: unknown,
  dialect: string,
  direction: 'request' | 'response',
  encoding: Encoding,
  at?: Path,
): void {
  if (!isRich(value)) return
  const isOwn = (slot: string): boolean =>
    slot === dialect || (slot.includes('/') && (direction === 'request' || slot.startsWith(`${dialect}/`)))
  walk(value, at, { direction, isOwn }, encoding)
}

/** Sealed values below which no `extra` stands: they need not be walked again. */
const plain = new WeakSet<object>()

/** Whether an `extra` may stand below a value. */
function isRich(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !plain.has(value)
}

/** Reports what stands below a value, and whether there is any `extra` at all. */
function walk(value: object, at: Path | undefined, foreign: ForeignSlots, encoding: Encoding): boolean {
  let found = false
  if (Symbol.iterator in value) {
    let index = 0
    for (const item of value as Iterable<unknown>) {
      if (isRich(item)) found = walk(item, below(at, index), foreign, encoding) || found
      index++
    }
  } else {
    for (const key of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[key]
      if (free.has(key) || !isRich(item)) continue
      if (key === 'extra' && isObject(item)) {
        reportResidue(item as Extra, below(at, key), foreign, (rule, path) => encoding.lose(rule, path))
        found = true
      } else found = walk(item, below(at, key), foreign, encoding) || found
    }
  }
  if (!found && isSealed(value)) plain.add(value)
  return found
}
