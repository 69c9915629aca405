import { InterlinguaError } from '../errors.ts'
import { withTypedErrors } from './typed-errors.ts'
import { describeType } from './json.ts'

/**
 * Throws for a value that lacks a method: a JavaScript caller that passes something else gets the error with the call that
 * it made, and not when the method is needed. Returns the value.
 *
 * @example
 * checkMethods({ generate: 1 }, 'model', 'a model', ['generate', 'stream']) // throws: /model
 */
export function checkMethods<T>(
  value: T,
  argument: string,
  expected: string,
  names: readonly (keyof T & string)[],
): T {
  return withTypedErrors(() => {
    const isOwner = (typeof value === 'object' && value !== null) || typeof value === 'function'
    const missing = isOwner ? names.find((name) => typeof value[name] !== 'function') : names[0]
    if (isOwner && missing === undefined) return value
    throw new InterlinguaError('invalid-type', `/${argument}: expected ${expected}`, {
      path: `/${argument}`,
      found: isOwner ? `a value without the method \`${missing}\`` : describeType(value),
      expected: `${expected}: an object with ${names.map((name) => `\`${name}\``).join(', ')}`,
      hint: value instanceof Promise ? 'Await it first.' : `Pass ${expected} as \`${argument}\`.`,
    })
  }, [value, argument, expected, names])
}
