import { afterEach, expect, test, vi } from 'vitest'
import { readEnvironmentVariable } from '../../src/providers/connection.ts'

afterEach(() => vi.unstubAllEnvs())

/** Runs a function on a platform with this `process`. */
function on<T>(platform: unknown, run: () => T): T {
  const kept = Object.getOwnPropertyDescriptor(globalThis, 'process')
  Object.defineProperty(globalThis, 'process', { value: platform, configurable: true, writable: true })
  try {
    return run()
  } finally {
    if (kept !== undefined) Object.defineProperty(globalThis, 'process', kept)
  }
}

test('a variable is read without the space around it; an empty one is not set', () => {
  vi.stubEnv('INTERLINGUA_TEST', ' value\n')
  expect(readEnvironmentVariable('INTERLINGUA_TEST')).toBe('value')
  vi.stubEnv('INTERLINGUA_TEST', '  ')
  expect(readEnvironmentVariable('INTERLINGUA_TEST')).toBeUndefined()
})

test.each([undefined, null, {}, { env: undefined }, { env: { KEY: 5 } }])(
  'without environment variables none is found: %j',
  (platform) => {
    expect(on(platform, () => readEnvironmentVariable('KEY'))).toBeUndefined()
  },
)
