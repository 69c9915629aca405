import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { catchError } from '../law-assertions.ts'
import { InterlinguaError } from '../../src/errors.ts'
import { toTypedError, withTypedErrors } from '../../src/wire/typed-errors.ts'

describe('errors at the public boundary', () => {
  test('an error of the library stays as it is', () => {
    const error = new InterlinguaError('not-json', 'no JSON')
    expect(toTypedError(error)).toBe(error)
    expect(
      catchError(() =>
        withTypedErrors(() => {
          throw error
        }),
      ),
    ).toBe(error)
  })

  test.each([
    ['a syntax error that quotes the input', () => JSON.parse('canary-77'), 'SyntaxError'],
    [
      'an error of several lines',
      () => {
        throw new TypeError('canary-77\n    at canary-77 (canary-77:1:2)')
      },
      'TypeError',
    ],
    ['a URL with the input as a property', () => new URL('canary-77'), 'TypeError'],
  ])('%s becomes `internal` without its text', (_name, act, found) => {
    const error = catchError(() => withTypedErrors(act))
    expect(error).toMatchObject({
      code: 'internal',
      hint: expect.stringContaining('report'),
      retryable: false,
    })
    expect((error as InterlinguaError).found).toContain(found)
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary-77')
  })

  test('the cause keeps where it was thrown', () => {
    const error = catchError(() => withTypedErrors(() => JSON.parse('{')))
    expect(((error as Error).cause as Error).stack).toContain('typed-errors.test')
  })

  test('a result is returned', () => {
    expect(withTypedErrors(() => 3)).toBe(3)
  })
})
