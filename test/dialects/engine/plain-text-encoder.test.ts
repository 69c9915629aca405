import fc from 'fast-check'
import {
  assistant,
  developer,
  type EncodeOptions,
  type Flavor,
  type Message,
  ROLES,
  system,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { flavors as anthropic } from '../../../src/dialects/anthropic/flavors.ts'
import { flavors as gemini } from '../../../src/dialects/gemini/flavors.ts'
import { flavors as chat } from '../../../src/dialects/openai-chat/flavors.ts'
import { flavors as responses } from '../../../src/dialects/openai-responses/flavors.ts'
import { anyText, RUNS } from '../../arbitraries.ts'
import { expectSame, law } from '../../law-assertions.ts'
import { subjects } from '../dialect-table.ts'

const builders = { user, assistant, system, developer } as const

/** Texts that occur elsewhere in an encoded message, or that an encoder may treat differently. */
const anyWords = fc.oneof(
  anyText,
  fc.constantFrom(...ROLES, 'text', 'model', '', ' ', '\n', 'Hi', '<think>Hi</think>', '{"a":1}', 'Hi  '),
)

const anyTurns = fc.array(
  fc.tuple(fc.constantFrom('user', 'assistant', 'user', 'assistant', 'system', 'developer'), anyWords),
  { maxLength: 12 },
)

const anyOptions = fc.record<EncodeOptions>(
  {
    flavor: fc.constantFrom(
      ...([chat, responses, anthropic, gemini].flatMap((table) => Object.keys(table)) as Flavor[]),
    ),
    model: fc.constantFrom(
      'gpt-5',
      'claude-opus-4-6',
      'gemini-2.5-pro',
      'deepseek-reasoner',
      'mistral-large-latest',
    ),
  },
  { requiredKeys: [] },
)

describe.each(subjects)('$name, messages with only text', ({ name, dialect }) => {
  test('are encoded as its encoder writes them, with the same losses', () => {
    law(
      fc.tuple(anyTurns, anyOptions),
      ([turns, options]) => {
        const plain = turns.map(([role, text], index): Message =>
          builders[role]([{ type: 'text', text }], { id: `msg_${index}` }),
        )
        // Metadata is not sent, but such a part is no plain text: each message is written by the encoder itself.
        const written = turns.map(([role, text], index): Message =>
          builders[role]([{ type: 'text', text, metadata: {} }], { id: `msg_${index}` }),
        )
        const encode = (messages: readonly Message[]) =>
          dialect.encodeRequest({ model: 'm', messages }, options)
        expectSame(encode(plain), encode(written))
      },
      RUNS * 4,
    )
  })

  test('share nothing with each other', () => {
    const messages = ['One', 'Two', 'Three'].flatMap((text) => [user(text), assistant(`${text}!`)])
    const { value } = dialect.encodeRequest({ model: 'm', messages })
    const lists = Object.values(value).filter(Array.isArray)
    const seen = new Set<unknown>()
    const visit = (each: unknown): void => {
      if (typeof each !== 'object' || each === null) return
      expect(seen.has(each), `${name}: ${JSON.stringify(each)}`).toBe(false)
      seen.add(each)
      Object.values(each).forEach(visit)
    }
    lists.forEach(visit)
  })
})
