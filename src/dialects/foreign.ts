import type { Extra } from '../canonical/model/extra.ts'
import { isSealed } from '../wire/frozen.ts'
import { isObject } from '../wire/json.ts'
import { below, type Path } from '../wire/pointer.ts'
import { sayings } from '../wire/residue.ts'
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
 * Reports every residue that the target does not write: what another wire format adds, and keys that nobody knew. What only
 * a response says about an answer (`<dialect>/response`, `<dialect>/choice`) is no part of a request. `at` is where the value
 * stands.
 */
export function reportForeign(
  value: unknown,
  dialect: string,
  direction: 'request' | 'response',
  encoding: Encoding,
  at?: Path,
): void {
  if (!isRich(value)) return
  const isOurs = (slot: string): boolean =>
    slot === dialect || (slot.includes('/') && (direction === 'request' || slot.startsWith(`${dialect}/`)))
  walk(value, at, isOurs, encoding)
}

/** Sealed values below which no `extra` stands: they need not be walked again. */
const plain = new WeakSet<object>()

/** Whether an `extra` may stand below a value. */
function isRich(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !plain.has(value)
}

/** Reports what stands below a value, and whether there is any `extra` at all. */
function walk(
  value: object,
  at: Path | undefined,
  isOurs: (slot: string) => boolean,
  encoding: Encoding,
): boolean {
  let found = false
  if (Symbol.iterator in value) {
    let index = 0
    for (const item of value as Iterable<unknown>) {
      if (isRich(item)) found = walk(item, below(at, index), isOurs, encoding) || found
      index++
    }
  } else {
    for (const key of Object.keys(value)) {
      const item = (value as Record<string, unknown>)[key]
      if (free.has(key) || !isRich(item)) continue
      if (key === 'extra' && isObject(item)) {
        report(item as Extra, below(at, key), isOurs, encoding)
        found = true
      } else found = walk(item, below(at, key), isOurs, encoding) || found
    }
  }
  if (!found && isSealed(value)) plain.add(value)
  return found
}

function report(extra: Extra, at: Path, isOurs: (slot: string) => boolean, encoding: Encoding): void {
  for (const [slot, residue] of Object.entries(extra)) {
    if (isOurs(slot) || !isObject(residue)) continue
    for (const keys of sayings(residue)) {
      encoding.lose(
        'foreign-residue',
        keys.reduce<Path>((path, key) => below(path, key), below(at, slot)),
      )
    }
  }
}
