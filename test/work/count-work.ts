import crypto from 'node:crypto'

/** The work that a function did, as counts that are the same in every run. */
export interface Work {
  /** Characters whose digest was computed. */
  readonly hashed: number
  /** Characters that `JSON.stringify` or `stringifyText` returned. */
  readonly stringified: number
  /** Calls of the functions that walk, copy and freeze objects. */
  readonly visits: number
}

const counts = { hashed: 0, stringified: 0, visits: 0 }

type Callable = (...values: never[]) => unknown

/** Replaces a function of an object by one that counts its calls. */
function count(
  owner: object,
  name: string,
  add: (result: unknown, first: unknown, owner: unknown) => void,
): void {
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') throw new Error(`${name} is no function of this Node version`)
  const counting = function (this: unknown, ...values: never[]): unknown {
    const result = Reflect.apply(original as Callable, this, values)
    add(result, values[0], this)
    return result
  }
  Reflect.set(owner, name, counting)
}

let isInstalled = false

/**
 * Counts the work of this process from now on. The library selects its digest function once, so this must run before the
 * first digest: in a file that shares no modules with others.
 */
export function installCounters(): void {
  if (isInstalled) return
  isInstalled = true
  // `hash(algorithm, text)`: the digest itself has one length.
  const { hash } = crypto
  crypto.hash = ((algorithm: string, text: string, ...rest: never[]) => {
    counts.hashed += text.length
    return Reflect.apply(hash, crypto, [algorithm, text, ...rest])
  }) as typeof hash
  count(JSON, 'stringify', (text) => (counts.stringified += typeof text === 'string' ? text.length : 0))
  // `stringifyText` quotes a text in which it finds nothing to escape.
  count(RegExp.prototype, 'test', (found, text, pattern) => {
    const isQuoted = found === false && (pattern as RegExp).source === String.raw`[\0-\x1f]`
    counts.stringified += isQuoted && typeof text === 'string' ? text.length : 0
  })
  for (const name of ['keys', 'entries', 'values', 'freeze', 'isFrozen', 'assign', 'fromEntries'])
    count(Object, name, () => counts.visits++)
}

/** Returns the work that a function does. */
export async function countWork(act: () => unknown): Promise<Work> {
  const before = { ...counts }
  await act()
  return {
    hashed: counts.hashed - before.hashed,
    stringified: counts.stringified - before.stringified,
    visits: counts.visits - before.visits,
  }
}
