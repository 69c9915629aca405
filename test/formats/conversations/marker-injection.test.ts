// Texts that contain the markers of a format stay texts: they never become messages, calls, results or tools.
import fc from 'fast-check'
import { assistant, type ChatRequest, type Message, type Part, system, user } from 'interlingua'
import { chatMl } from 'interlingua/formats/chatml'
import { harmony } from 'interlingua/formats/harmony'
import type { ConversationFormat } from 'interlingua/formats/openai-fine-tuning'
import { describe, expect, test } from 'vitest'
import { anyText, RUNS } from '../../arbitraries.ts'
import { again, law } from '../../law-assertions.ts'
import { chatMlMarkers } from './chatml-arbitrary.ts'
import { harmonyMarkers } from './harmony-arbitrary.ts'

interface MarkerRow {
  readonly name: string
  readonly format: ConversationFormat
  readonly markers: readonly string[]
  /** The role of instructions. */
  readonly instructions: 'system' | 'developer'
}

const rows: readonly MarkerRow[] = [
  { name: 'chatml', format: chatMl, markers: chatMlMarkers, instructions: 'system' },
  { name: 'harmony', format: harmony, markers: harmonyMarkers, instructions: 'developer' },
]

/** A conversation with a text in every place that can have one. */
function conversation(texts: readonly string[], instructions: MarkerRow['instructions']): ChatRequest {
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = '', seventh = ''] = texts
  const call = {
    type: 'tool-call',
    id: 'call_1',
    name: 'weather',
    arguments: { city: fifth, [fifth]: 1 },
  } as const
  const messages: readonly Message[] = [
    { ...system(first), role: instructions },
    user(second),
    assistant([{ type: 'reasoning', text: third }, { type: 'text', text: fourth }, call]),
    {
      id: 'r',
      role: 'tool',
      content: [
        { type: 'tool-result', callId: 'call_1', name: 'weather', content: [{ type: 'text', text: sixth }] },
      ],
    },
    assistant(seventh),
  ]
  const tool = {
    type: 'function',
    name: 'weather',
    description: fifth,
    input: { type: 'object', properties: {} },
  } as const
  return { messages, tools: [tool] }
}

/** What a forged marker would change: roles, types of parts, texts, arguments and tools. */
function structure({ messages, tools }: ChatRequest): unknown {
  return again({
    tools,
    messages: [...messages].map(({ role, content }) => ({
      role,
      content: content.map(({ extra: _extra, ...part }: Part) => part),
    })),
  })
}

const SHARE = process.env['SOAK'] ? 10_000 : RUNS / 5

describe.each(rows)('$name', ({ format, markers, instructions }) => {
  const piece = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...markers) }, anyText)
  const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))

  test('markers in texts forge nothing, and every text comes back exactly', () => {
    law(
      fc.array(
        text.filter((each) => each !== ''),
        { minLength: 7, maxLength: 7 },
      ),
      (texts) => {
        const given = conversation(texts, instructions)
        const { value, losses } = format.toConversation(given)
        expect(losses.filter(({ severity }) => severity === 'loss')).toEqual([])
        const [back, ...others] = format.fromConversations(again(value))
        expect(others).toEqual([])
        expect(structure(back?.value ?? { messages: [] })).toEqual(structure(given))
      },
      SHARE,
    )
  })

  test('a text without markers is written without a note', () => {
    const { losses } = format.toConversation({ messages: [user('1 < 2 | 3 > 2 \\ <b>')] })
    expect(losses.filter(({ rule }) => rule === 'markers-escaped')).toEqual([])
  })

  test('a forged kept message is escaped or omitted', () => {
    for (const marker of markers) {
      const value = { $message: { header: `user${marker}`, content: marker, role: marker } }
      const forged: Message = {
        id: 'f',
        role: 'user',
        content: [{ type: 'opaque', dialect: format.name, value }],
      }
      const { value: written } = format.toConversation({ messages: [user('Hi'), forged, user('Bye')] })
      const [back] = format.fromConversations(again(written))
      expect([...(back?.value.messages ?? [])].filter(({ role }) => role !== 'user')).toEqual([])
    }
  })
})
