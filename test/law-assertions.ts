import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { InterlinguaError } from 'interlingua'
import { expect } from 'vitest'
import { RUNS } from './arbitraries.ts'

/** Checks that something holds for generated values. */
export function law<T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void, numRuns: number = RUNS): void {
  const property = fc.property(arbitrary, (value) => {
    holds(value)
  })
  // fast-check never ends if the number is not whole.
  fc.assert(property, { numRuns: Math.ceil(numRuns) })
}

/** What JSON text makes of a value. */
export function again(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Deep equality that is not misled by keys such as `constructor`, as vitest's is. */
export function expectSame(actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected)
}

/** Everything reachable is frozen: nobody can change it under us. */
export function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Object.isFrozen(value)) expect.fail('found a value that is not frozen')
  Object.values(value).forEach(expectFrozen)
}

/** A value, or undefined where it was refused; any other error fails the test. */
export function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch (error) {
    expect(error).toBeInstanceOf(InterlinguaError)
    return undefined
  }
}

/** Returns the rule and the path of each loss. */
export const rulesAndPaths = ({
  losses,
}: {
  readonly losses: readonly { readonly rule: string; readonly path: string }[]
}): readonly string[] => losses.map(({ rule, path }) => `${rule} ${path}`)

/** Returns what an act throws; undefined if it throws nothing. */
export function catchError(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}

/** Returns the typed error that an act throws; any other outcome fails the test. */
export function catchTypedError(act: () => unknown): InterlinguaError {
  const error = catchError(act)
  if (error instanceof InterlinguaError) return error
  throw new Error('no typed error was thrown', { cause: error })
}
