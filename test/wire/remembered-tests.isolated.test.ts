import { describe, expect, it } from 'vitest'
import { brand, rememberTest } from '../../src/wire/frozen-json.ts'

/** Returns a test of the length of a text, and the texts that it was called with. */
function createCountedTest(length: number) {
  const calls: string[] = []
  const test = rememberTest(({ text }: { readonly text: string }) => {
    calls.push(text)
    return text.length > length
  })
  return { test, calls }
}

describe('a remembered test', () => {
  it('runs once for a value that cannot change, whether it passes or not', () => {
    const { test, calls } = createCountedTest(3)
    const long = brand({ text: 'a long text' })
    const short = brand({ text: 'no' })
    expect([test(long), test(short), test(long), test(short)]).toEqual([true, false, true, false])
    expect(calls).toEqual(['a long text', 'no'])
  })

  it('runs each time for a value that may change, and for a copy', () => {
    const { test, calls } = createCountedTest(3)
    const own = { text: 'text' }
    expect(test(own)).toBe(true)
    own.text = 'no'
    expect(test(own)).toBe(false)
    const marked = brand({ text: 'text' })
    expect(test(marked)).toBe(true)
    expect(test({ ...marked, text: 'no' })).toBe(false)
    expect(calls).toHaveLength(4)
  })

  it('does not mix up the results of several tests, even of more than there are bits', () => {
    const lengths = [1, 5, 10, ...Array.from({ length: 20 }, (_, index) => index)]
    const tests = lengths.map((length) => createCountedTest(length).test)
    const value = brand({ text: 'seven..' })
    for (let round = 0; round < 2; round++)
      expect(tests.map((test) => test(value))).toEqual(lengths.map((length) => length < 7))
  })
})
