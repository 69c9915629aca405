import {
  assistant,
  type ChatRequest,
  type DialectName,
  dialects,
  type EncodeOptions,
  file,
  image,
  type JsonObject,
  toolCall,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame } from '../../law-assertions.ts'
import { valuesOf } from './public-issues.ts'
import { elementsOf, subjectOf } from './send.ts'
import { dot, pdf } from './ciphertexts.ts'
import { faultsOf } from '../dialect-table.ts'

const calls = ['a', 'b'].map((id) => toolCall({ id: `call_${id}`, name: 'draw', arguments: {} }))
const picture = image({ data: dot, mediaType: 'image/png' })
const book = file({ data: pdf, mediaType: 'application/pdf' }, { name: 'almanac.pdf' })
const [first, second] = calls
const request: ChatRequest = {
  model: 'a-model',
  messages: [
    user('Draw'),
    assistant(calls),
    toolResults([toolResult(first ?? 'call_a', ['Here', picture])]),
    toolResults([toolResult(second ?? 'call_b', [book])]),
    assistant('Done'),
    user('Thanks'),
  ],
}

/** The targets whose tool results contain only text, and the roles of the resulting messages. */
interface Target {
  readonly to: DialectName
  readonly options: EncodeOptions
  readonly roles: string
}

const targets: readonly Target[] = [
  { to: 'openai-chat', options: {}, roles: 'user assistant tool tool user user assistant user' },
  {
    to: 'openai-chat',
    options: { flavor: 'mistral' },
    roles: 'user assistant tool tool assistant user user assistant user',
  },
  {
    to: 'gemini',
    options: { model: 'gemini-2.5-pro' },
    roles: 'user model user user user model user',
  },
]

describe.each(targets)('media in tool results, for $to with $options', ({ to, options, roles }) => {
  const { value, losses } = subjectOf(to).dialect.encodeRequest(request, options)

  test('is sent in a user message after all results', () => {
    // The fields of a host are not part of the format.
    if (options.flavor === undefined) expect(faultsOf(subjectOf(to), 'request', value)).toEqual([])
    const elements = elementsOf(to, value)
    expect(elements.map(({ role }) => role)).toEqual(roles.split(' '))
    const results = elements.filter((each) => JSON.stringify(each).match(/tool_call_id|functionResponse/))
    expect(JSON.stringify(results)).not.toContain(dot)
    for (const bytes of [dot, pdf]) expect(JSON.stringify(value)).toContain(bytes)
    expect(losses.filter(({ rule }) => rule === 'media-after').map(({ path }) => path)).toEqual([
      '/messages/2/content/0',
      '/messages/3/content/0',
    ])
  })

  test('stays in its position when the conversation grows', () => {
    const shorter = { ...request, messages: [...request.messages].slice(0, 4) }
    const before = elementsOf(to, subjectOf(to).dialect.encodeRequest(shorter, options).value)
    expectSame(elementsOf(to, value).slice(0, before.length), [...before])
  })
})

describe('media that tool results support', () => {
  test.each(['anthropic', 'openai-responses', 'gemini'] as const)('stays in them for %s', (to) => {
    const { value, losses } = dialects[to].encodeRequest(request)
    expect(losses.map(({ rule }) => rule)).not.toContain('media-after')
    expect(JSON.stringify(value)).toContain(dot)
  })

  test('a host that accepts only text gets a description', () => {
    const { value, losses } = dialects['openai-chat'].encodeRequest(request, { flavor: 'deepseek' })
    expect(JSON.stringify(value)).not.toContain(dot)
    expect(losses.map(({ rule }) => rule)).toContain('unsupported-media')
  })

  test('media that was received from Gemini is sent back unchanged, for any model', () => {
    const result: JsonObject = {
      name: 'draw',
      response: { output: 'Here' },
      parts: [{ inlineData: { mimeType: 'image/png', data: dot } }],
    }
    const body = {
      contents: [
        { role: 'user', parts: [{ text: 'Draw' }] },
        { role: 'model', parts: [{ functionCall: { name: 'draw', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: result }] },
      ],
    }
    const path = '/models/gemini-2.5-pro:generateContent'
    const came = dialects.gemini.decodeRequest(body, { path }).value
    const { value } = dialects.gemini.encodeRequest(came)
    expect(valuesOf(value, 'functionResponse')).toEqual([result])
  })
})
