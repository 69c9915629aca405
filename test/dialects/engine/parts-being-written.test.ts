import { describe, expect, test } from 'vitest'
import type { AssistantPart } from '../../../src/canonical/model/part.ts'
import { PartBeingWritten } from '../../../src/dialects/engine/parts-being-written.ts'

const open = (keepsText: boolean, text = '') =>
  new PartBeingWritten({ type: 'part-start', index: 0, part: { type: 'text', text } }, true, keepsText)

function grow(part: PartBeingWritten, ...texts: readonly string[]): PartBeingWritten {
  for (const text of texts) part.push({ type: 'text-delta', index: 0, text })
  return part
}

/** Returns whether an end with a part corrects a text that was written before. */
function isCorrected(keepsText: boolean, part: AssistantPart, replaces?: true): boolean {
  const source = grow(open(keepsText, 'a'), 'b', 'c')
  source.push({ type: 'part-end', index: 0, part, ...(replaces && { replaces }) })
  return source.isCorrected
}

describe('a text that is not kept', () => {
  test('keeps its beginning up to the first character that is visible', () => {
    expect(grow(open(false), ' ', '\n', 'Hello', ' world', '!').getPart()).toEqual({
      type: 'text',
      text: ' \nHello',
    })
    expect(grow(open(false), ' ', '\n').getPart()).toEqual({ type: 'text', text: ' \n' })
  })

  test.each<[name: string, part: AssistantPart, replaces?: true]>([
    ['the same text', { type: 'text', text: 'abc' }, true],
    ['another text', { type: 'text', text: 'abd' }, true],
    ['a longer text', { type: 'text', text: 'abcd' }, true],
    ['another type', { type: 'refusal', text: 'abc' }, true],
    [
      'citations',
      { type: 'text', text: 'abc', citations: [{ type: 'source', url: 'https://a.example' }] },
      true,
    ],
    ['the opening text', { type: 'text', text: 'a' }],
    ['another opening text', { type: 'text', text: 'x' }],
    ['a field', { type: 'text', text: 'a', cache: {} }],
  ])('is corrected by an end with %s like a text that is kept', (_name, part, replaces) => {
    expect(isCorrected(false, part, replaces)).toBe(isCorrected(true, part, replaces))
  })
})
