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

/** Whose results are text, and where what they show stands instead. */
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

describe.each(targets)('what results show, for $to with $options', ({ to, options, roles }) => {
  const { value, losses } = subjectOf(to).dialect.encodeRequest(request, options)

  test('is shown by the user after all of them', () => {
    // A host's own fields are no part of the format, and models up to version 2 need no signatures.
    const faults = faultsOf(subjectOf(to), 'request', value).filter((each) => !each.startsWith('first-call'))
    if (options.flavor === undefined) expect(faults).toEqual([])
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

  test('stands where it stood when the conversation grows', () => {
    const shorter = { ...request, messages: [...request.messages].slice(0, 4) }
    const before = elementsOf(to, subjectOf(to).dialect.encodeRequest(shorter, options).value)
    expectSame(elementsOf(to, value).slice(0, before.length), [...before])
  })
})

describe('what results can hold', () => {
  test.each(['anthropic', 'openai-responses', 'gemini'] as const)('stays in them for %s', (to) => {
    const { value, losses } = dialects[to].encodeRequest(request)
    expect(losses.map(({ rule }) => rule)).not.toContain('media-after')
    expect(JSON.stringify(value)).toContain(dot)
  })

  test('a host that takes nothing but text is told in words', () => {
    const { value, losses } = dialects['openai-chat'].encodeRequest(request, { flavor: 'deepseek' })
    expect(JSON.stringify(value)).not.toContain(dot)
    expect(losses.map(({ rule }) => rule)).toContain('unsupported-media')
  })

  test('what Gemini took goes back to it as it came, whichever model', () => {
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
