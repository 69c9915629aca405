// Checked by the compiler: a hint name that is not in the union of its dialect does not compile.
import type { TextPart } from 'interlingua'
import { expect, test } from 'vitest'
import { DIALECT_SLOT as anthropic } from '../../src/dialects/anthropic/constants.ts'
import { DIALECT_SLOT as chat } from '../../src/dialects/openai-chat/constants.ts'
import {
  addHints,
  createHintExtra,
  getHints,
  defineHints,
  attachResidue,
  withHints,
} from '../../src/dialects/engine/residue-slots.ts'

const part: TextPart = { type: 'text', text: '' }
const empty = part.text === ''

test('a hint is read by a name of its dialect only', () => {
  const marked = withHints(part, anthropic, { emptyText: true })
  expect(getHints(marked, anthropic)['emptyText']).toBe(true)
  expect(getHints(marked, chat)['emptyText']).toBeUndefined()
  // @ts-expect-error: no dialect has this hint
  expect(getHints(marked, anthropic)['emtyText']).toBeUndefined()
  // @ts-expect-error: only openai-chat has this hint
  expect(getHints(marked, anthropic)['hasIndex']).toBeUndefined()
})

test('a hint is written by a name of its dialect only, also where the hints are spread together', () => {
  expect(defineHints(anthropic, { ...(empty && { emptyText: true }) })).toEqual({ emptyText: true })
  // @ts-expect-error: no dialect has this hint
  expect(defineHints(anthropic, { ...(empty && { emtyText: true }) })).toEqual({ emtyText: true })
  // @ts-expect-error: only openai-chat has this hint
  expect(withHints(part, anthropic, { ...(empty && { hasIndex: true }) })).toMatchObject(part)
  // @ts-expect-error: only openai-chat has this hint
  expect(addHints(part, anthropic, { hasIndex: true })).toMatchObject(part)
  // @ts-expect-error: only openai-chat has this hint
  expect(createHintExtra(anthropic, { hasIndex: true })).toHaveProperty('anthropic')
  // @ts-expect-error: only openai-chat has this hint
  expect(attachResidue(part, anthropic, { hasIndex: true }, {}, () => ({}))).toMatchObject(part)
})
