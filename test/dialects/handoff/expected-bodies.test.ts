import {
  accumulate,
  assistant,
  audio,
  type ChatRequest,
  dialects,
  toEvents,
  file,
  type JsonObject,
  reasoning,
  textOf,
  toolCall,
  toolResult,
  toolResults,
  translateStream,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { all, asking, rulesOf, sent, textIn, valuesOf } from './public-issues.ts'
import { answers } from './responses.ts'
import { histories } from './histories.ts'
import { elementsOf, send } from './send.ts'
import { dot, leaked } from './ciphertexts.ts'

const { anthropic, 'openai-chat': chat } = dialects

const fromClaude = anthropic.decodeRequest(histories.anthropic).value
const fromChat = chat.decodeRequest(histories['openai-chat']).value
const sound = audio({ data: 'UklGRg==', mediaType: 'audio/wav' })

/** How the body of each dialect marks a failed result. */
const failureMarks = {
  anthropic: '"is_error":true',
  gemini: '"error":"No such city"',
  'openai-chat': '\\"error\\":\\"No such city\\"',
  'openai-responses': '\\"error\\":\\"No such city\\"',
  ollama: '\\"error\\":\\"No such city\\"',
  mistral: '\\"error\\":\\"No such city\\"',
  'gemini-interactions': '"is_error":true',
  bedrock: '"status":"error"',
  cohere: '\\"error\\":\\"No such city\\"',
}

describe('an assistant message of Claude with every kind of part', () => {
  test('has its results in tool messages of openai-chat, and no calls as text', () => {
    const { body } = send(fromClaude, 'openai-chat', 'm')
    const messages = elementsOf('openai-chat', body)
    const roles = messages.map(({ role }) => role)
    expect(roles.slice(2, 6)).toEqual(['assistant', 'tool', 'tool', 'tool'])
    expect(valuesOf(body, 'tool_calls').flat()).toHaveLength(3)
    expect(JSON.stringify(body)).not.toMatch(/tool_use"|_original|redacted_thinking|server_tool_use/)
  })

  test('has every call next to its output in openai-responses, and its text in assistant items', () => {
    const { body } = send(fromClaude, 'openai-responses', 'm')
    const items = elementsOf('openai-responses', body)
    const ids = (type: string): readonly unknown[] =>
      items.filter((item) => item['type'] === type).map(({ call_id: id }) => id)
    expect(ids('function_call')).toHaveLength(3)
    expect(ids('function_call_output')).toEqual(ids('function_call'))
    expect(ids('reasoning')).toEqual([])
    const assistantItems = items.filter(({ role }) => role === 'assistant')
    expect(valuesOf(assistantItems, 'type')).not.toContain('input_text')
    expect(valuesOf(items, 'name')).not.toContain('web_search')
  })

  test('has its calls as function calls of Gemini, with the required signature, and its image', () => {
    const { body } = send(fromClaude, 'gemini', 'gemini-3-pro')
    expect(valuesOf(body, 'functionCall')).toHaveLength(3)
    expect(valuesOf(body, 'functionResponse')).toHaveLength(3)
    expect(valuesOf(body, 'thoughtSignature')).toHaveLength(1)
    expect(JSON.stringify(valuesOf(body, 'functionResponse'))).toContain(dot)
    expect(valuesOf(body, 'type')).not.toContain('tool_use')
  })

  test('marks the failed result for every dialect', () => {
    for (const to of all) expect(textIn(send(fromClaude, to, 'm'))).toContain(failureMarks[to])
  })

  test('has its document as a document, not as JSON in a text', () => {
    for (const to of ['openai-chat', 'openai-responses', 'gemini'] as const) {
      const texts = valuesOf(send(fromClaude, to, 'm').body, 'text')
      expect(texts.filter((each) => String(each).includes('JVBERi0'))).toEqual([])
      expect(textIn(send(fromClaude, to, 'm'))).toContain('JVBERi0')
    }
  })

  test('is sent as edited, without the old text', () => {
    const [first, ...others] = [...fromClaude.messages].slice(1)
    const edited: ChatRequest = {
      ...fromClaude,
      messages: [
        ...[...fromClaude.messages].slice(0, 1),
        { ...user('Another question'), id: first?.id ?? '' },
        ...others,
      ],
    }
    for (const to of all) {
      const out = textIn(send(edited, to, 'm'))
      expect(out).toContain('Another question')
      expect(out).not.toContain('Weather in Oslo and Rome')
    }
  })
})

describe('a conversation of openai-chat', () => {
  test('has no role and no empty content that Claude does not support', () => {
    const { body } = send(fromChat, 'anthropic', 'm')
    const roles = new Set(elementsOf('anthropic', body).map(({ role }) => role))
    expect([...roles]).toEqual(['user', 'assistant'])
    expect(valuesOf(body, 'content').filter((each) => Array.isArray(each) && each.length === 0)).toEqual([])
    expect(JSON.stringify(body)).toContain('That I will not')
  })

  test('keeps the exact text of arguments that are not JSON', () => {
    for (const to of all) {
      const out = send(fromChat, to, 'm')
      expect(textIn(out)).toContain(JSON.stringify('{"city": ').slice(1, -1))
    }
  })

  test('loses no setting without a report', () => {
    const request: ChatRequest = {
      ...asking(user('Hi')),
      tools: [{ type: 'function', name: 'f', input: { type: 'object', properties: {} } }],
      stop: ['END'],
      parallelToolCalls: false,
      output: { type: 'json', schema: { type: 'object', properties: {} } },
    }
    for (const to of all) {
      const { body, losses } = send(request, to)
      const back = dialects[to].decodeRequest(body).value
      for (const key of ['stop', 'parallelToolCalls', 'output'] as const) {
        const named = losses.some(({ path }) => path.startsWith(`/${key}`))
        expect([to, key, named || JSON.stringify(back[key]) !== undefined]).toEqual([to, key, true])
      }
    }
  })
})

describe('a tool that failed', () => {
  test('is an error in every dialect, whichever dialect the call is from', () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: {} })
    const failed = toolResults([toolResult(call, 'No such city', { isError: true })])
    for (const to of all)
      expect(textIn(sent(to, user('Weather?'), assistant([call]), failed))).toContain(failureMarks[to])
  })
})

describe('content that a target does not support', () => {
  test('audio of the user is sent, or reported as not sent', () => {
    for (const to of all) {
      const out = sent(to, user(['Listen', sound]))
      const carried = textIn(out).includes('UklGRg==')
      expect([to, carried || rulesOf(out).includes('unsupported-media')]).toEqual([to, true])
    }
  })

  test('reasoning and files of the assistant are reported if openai-chat omits them', () => {
    const drawn = file({ data: 'JVBERi0=', mediaType: 'application/pdf' })
    const thoughts = reasoning('Let me think')
    const out = sent('openai-chat', user('Go'), assistant([thoughts, 'Done', drawn]), user('Thanks'))
    const places = out.losses.map(({ path }) => path)
    expect(places).toEqual(expect.arrayContaining(['/messages/1/content/0', '/messages/1/content/2']))
  })

  test('an assistant message of only foreign reasoning leaves no empty message', () => {
    const thoughts = reasoning('Let me think', { signature: { vendor: 'openai', value: 'token' } })
    for (const to of all) {
      const out = sent(to, user('Go'), assistant([thoughts]), user('Well?'))
      expect(
        elementsOf(to, out.body).map(({ content, parts }) => (content ?? parts) as unknown),
      ).not.toContainEqual([])
      if (to !== 'openai-responses') expect(out.losses.length).toBeGreaterThan(0)
    }
  })

  test('an aborted assistant message still contains the text that the user saw', () => {
    const broken = { ...assistant('Half of an ans'), finish: { reason: 'aborted' as const } }
    for (const to of all)
      expect(textIn(sent(to, user('Go'), broken, user('Well?')))).toContain('Half of an ans')
  })

  test('call ids with the same prefix stay different', () => {
    const calls = ['one', 'two'].map((end) =>
      toolCall({ id: `${'call-'.repeat(30)}${end}`, name: 'f', arguments: {} }),
    )
    const results = toolResults(calls.map((each) => toolResult(each, each.id.slice(-3))))
    for (const to of all) {
      const { body } = sent(to, user('Go'), assistant(calls), results)
      const { messages } = dialects[to].decodeRequest(body).value
      const answered = [...messages].flatMap(({ content }) =>
        content.flatMap((part) => (part.type === 'tool-result' ? [[part.callId, textOf(part)]] : [])),
      )
      expect(new Set(answered.map(([id]) => id)).size).toBe(2)
      expect(answered.map(([, words]) => words)).toEqual(['one', 'two'])
    }
  })
})

describe('a streamed response of Claude', () => {
  const response = anthropic.decodeResponse(answers.anthropic).value
  const stream = (): AsyncIterable<Uint8Array> => anthropic.encodeStream(toEvents(response))

  test('keeps its signature and its usage', async () => {
    const back = await accumulate(anthropic.decodeStream(stream()))
    expect(back.candidates[0]?.content[0]?.signature?.value).toBe(
      response.candidates[0]?.content[0]?.signature?.value,
    )
    expect(back.usage?.inputTokens).toBe(9)
  })

  test.each(all.filter((name) => name !== 'anthropic'))('sends no reasoning as text to %s', async (to) => {
    const { body } = translateStream(stream(), { from: 'anthropic', to })
    const back = await accumulate(dialects[to].decodeStream(body))
    const [answer] = back.candidates
    expect(answer === undefined ? '' : textOf(answer)).toBe('Claude looks')
    const made: JsonObject = dialects[to].encodeResponse(response).value
    expect(leaked(to, made)).toEqual([])
  })
})
