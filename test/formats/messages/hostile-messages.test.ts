// Values of wrong types everywhere: each input is refused with a typed error that has a path, or restored as it was, or what is
// not restored is a reported loss.
import fc from 'fast-check'
import { InterlinguaError, type JsonObject } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { again, expectSame, law } from '../../law-assertions.ts'
import { pathsOf, replaceAt } from '../wrong-values.ts'
import { formatRows } from './format-table.ts'

const RUNS = process.env['SOAK'] ? 10_000 : 60

const wrongValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, '', 'x', '__proto__'),
  fc.constantFrom([], {}, [null], [[]], [{}], { type: 'text' }, { type: 5 }, { length: 1 }),
  fc.constant(
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
  ),
)

/** Returns the error of a refusal; undefined for an input that is read. */
function attempt(act: () => unknown): InterlinguaError | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    if (error instanceof InterlinguaError) return error
    throw error
  }
}

describe.each(formatRows)('$name', ({ format, messages }) => {
  const broken = fc
    .tuple(messages, fc.nat(), fc.oneof(wrongValue, fc.constant(undefined)))
    .map(([wire, position, replacement]) => {
      const paths = pathsOf(wire)
      const path = paths[position % Math.max(paths.length, 1)] ?? []
      return path.length === 0 ? wire : (replaceAt(wire, path, replacement) as JsonObject[])
    })

  test('reads a message of an unknown role, or refuses it with a path', () => {
    law(
      fc.tuple(messages, fc.constantFrom('', 'robot', 'constructor', '__proto__')),
      ([wire, role]) => {
        for (const path of pathsOf(wire).filter((each) => each.at(-1) === 'role')) {
          const changed = replaceAt(wire, path, role) as JsonObject[]
          const error = attempt(() => format.fromMessages(changed))
          expect(error?.code).not.toBe('internal')
          if (error !== undefined) expect(error.path).toEqual(expect.any(String))
        }
      },
      RUNS / 6,
    )
  })

  test('refuses a wrong value with its path, restores it, or reports its loss', () => {
    law(
      broken,
      (wire) => {
        let read
        try {
          read = format.fromMessages(wire)
        } catch (error) {
          if (!(error instanceof InterlinguaError)) throw error
          expect(error.code).not.toMatch(/internal/)
          expect(error.path).toMatch(/^(\/|$)/)
          expect(error.expected).toBeTruthy()
          return
        }
        if (read.losses.length === 0) expectSame(again(format.toMessages(read.value).value), again(wire))
        expect(({} as { polluted?: number }).polluted).toBeUndefined()
      },
      RUNS,
    )
  })
})
