import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonLines } from '../../../src/studio/page/lens/json-lines.ts'

const read = (lines: JsonLines): string =>
  lines
    .read(0, lines.count)
    .map(
      ({ depth, key, text }) =>
        `${'  '.repeat(depth)}${key === undefined ? '' : `${JSON.stringify(key)}: `}${text}`,
    )
    .join('\n')

test('lines are those of JSON.stringify, and any range of them can be read', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(30), fc.nat(30), (value, start, count) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      const lines = new JsonLines(plain)
      const text = JSON.stringify(plain, undefined, 2)
      expect(read(lines)).toBe(text)
      expect(lines.count).toBe(text.split('\n').length)
      expect(lines.read(start, count)).toEqual(lines.read(0, lines.count).slice(start, start + count))
    }),
    { numRuns: 50 },
  )
})

test('every place has its line; a missing one has the line of what contains it', () => {
  const lines = new JsonLines({ a: [1, { 'b/c': 'x' }], d: {} })
  for (const [index, { pointer }] of lines.read(0, lines.count).entries())
    if (pointer !== undefined) expect(lines.findLine(pointer)).toEqual({ line: index, pointer })
  expect(lines.findLine('/a/1/missing/deep')).toEqual(lines.findLine('/a/1'))
})

test('losses are marked at their place, and long texts are shortened', () => {
  const lines = new JsonLines({ a: 'x'.repeat(5000) }, { losses: new Map([['/a', [3]]]) })
  const [, line] = lines.read(0, 3)
  expect(line?.losses).toEqual([3])
  expect(line?.text).toContain('3,500 more characters')
})
