/** The symbol of the method with which Node, Deno and Bun print an object. It is global, so it needs no import. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** The placeholders that are printed instead of a value. */
const residue = { [INSPECT]: () => '[residue]' }
const digest = { [INSPECT]: () => '[digest]' }

/** Returns true for a key whose value only the library reads: residue, or the digest of signed content. */
export function isHiddenKey(key: string): boolean {
  return key === '$' || key === 'contentDigest'
}

const descriptor: PropertyDescriptor = {
  value(this: object): object {
    const copy: Record<string, unknown> = { ...this }
    if (isObject(copy['$'])) copy['$'] = residue
    if (typeof copy['contentDigest'] === 'string') copy['contentDigest'] = digest
    return copy
  },
}

/**
 * Makes `console.log` print a short text instead of the hidden keys of an object, and returns the object. The
 * property is not enumerable: JSON, copies and comparisons ignore it.
 */
export function hideFromConsole<T extends object>(value: T): T {
  return Object.defineProperty(value, INSPECT, descriptor)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
