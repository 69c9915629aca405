import { expect, test } from 'vitest'
import { describeWriteError } from '../../src/wire/describe-write-error.ts'

test.each([
  [
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
    'no space is left on the device',
  ],
  [Object.assign(new Error('a message of the system'), { code: 'ELATER' }), 'a message of the system'],
  [Object.assign(new Error('a message'), { code: 'constructor' }), 'a message'],
  [new Error('a message'), 'a message'],
  ['a text', 'unknown reason'],
])('describes the reason of %s', (cause, expected) => {
  expect(describeWriteError(cause)).toBe(expected)
})
