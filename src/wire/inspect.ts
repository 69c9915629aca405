/** The symbol by which Node, Deno and Bun find how to print an object. It is global, so it needs no import. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom')

/** Prints a text in place of a value. */
const residue = { [INSPECT]: () => '[residue]' }
const digest = { [INSPECT]: () => '[digest]' }

/** Returns whether a key contains what only the library reads: residue, or the digest of a signed content. */
export function isHidden(key: string): boolean {
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
 * Makes `console.log` print a short text in place of the hidden keys of an object, and returns the object. The property is
 * not enumerable: JSON, copies and comparisons do not see it.
 */
export function hideWhenPrinted<T extends object>(value: T): T {
  return Object.defineProperty(value, INSPECT, descriptor)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
