import { isEqualJson } from '../../wire/json.ts'

/** A check of a conformance suite failed. Test runners show the difference of `actual` and `expected`. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly actual: unknown
  readonly expected: unknown

  constructor(message: string, actual?: unknown, expected?: unknown) {
    super(message)
    this.actual = actual
    this.expected = expected
  }
}

/** Returns the text of a value for a message, short enough for one line. */
function describeValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= 500 ? text : `${text.slice(0, 500)}…`
}

interface Assertions {
  ok(value: unknown, message?: string): asserts value
  equal(actual: unknown, expected: unknown, message?: string): void
  notEqual(actual: unknown, expected: unknown): void
  /** Compares values that consist of JSON; a property with `undefined` differs from an absent one. */
  deepEqual(actual: unknown, expected: unknown, message?: string): void
  match(actual: string, pattern: RegExp): void
  /** Expects a rejection that passes a check. */
  rejects(act: () => Promise<unknown>, check: (error: unknown) => void): Promise<void>
}

/** The assertions of the conformance suites: those of `node:assert` exist on Node only. */
export const assert: Assertions = {
  ok(value, message = 'expected a condition to be true') {
    if (!value) throw new AssertionError(message, value, true)
  },
  equal(actual, expected, message) {
    if (!Object.is(actual, expected)) fail('to be', actual, expected, message)
  },
  notEqual(actual, expected) {
    if (Object.is(actual, expected)) fail('not to be', actual, expected)
  },
  deepEqual(actual, expected, message) {
    if (!isEqualJson(actual, expected)) fail('to equal', actual, expected, message)
  },
  match(actual, pattern) {
    if (!pattern.test(actual)) fail('to match', actual, String(pattern))
  },
  async rejects(act, check) {
    let error: unknown
    try {
      await act()
    } catch (thrown) {
      error = thrown
    }
    if (error === undefined) throw new AssertionError('expected a rejection, but the promise was resolved')
    check(error)
  },
}

function fail(relation: string, actual: unknown, expected: unknown, message?: string): never {
  const text = `expected ${describeValue(actual)} ${relation} ${describeValue(expected)}`
  throw new AssertionError(message === undefined ? text : `${message}: ${text}`, actual, expected)
}
