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
  walk(
    value,
    at,
    (slot) =>
      slot === dialect || (slot.includes('/') && (direction === 'request' || slot.startsWith(`${dialect}/`))),
    encoding,
  )
}

/** Sealed values below which no `extra` stands: they need not be walked again. */
const plain = new WeakSet<object>()

/** Reports what stands below a value, and whether there is any `extra` at all. */
function walk(
  value: unknown,
  at: Path | undefined,
  isOurs: (slot: string) => boolean,
  encoding: Encoding,
): boolean {
  if (typeof value !== 'object' || value === null || plain.has(value)) return false
  let found = false
  if (Symbol.iterator in value) {
    let index = 0
    for (const item of value as Iterable<unknown>)
      found = walk(item, below(at, index++), isOurs, encoding) || found
  } else {
    for (const [key, item] of Object.entries(value)) {
      if (key === 'extra' && isObject(item)) {
        report(item as Extra, below(at, key), isOurs, encoding)
        found = true
      } else if (!free.has(key)) found = walk(item, below(at, key), isOurs, encoding) || found
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
