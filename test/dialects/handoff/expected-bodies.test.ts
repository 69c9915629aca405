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
import { dot } from './ciphertexts.ts'

const { anthropic, 'openai-chat': chat } = dialects

const fromClaude = anthropic.decodeRequest(histories.anthropic).value
const fromChat = chat.decodeRequest(histories['openai-chat']).value
const sound = audio({ data: 'UklGRg==', mediaType: 'audio/wav' })

describe('a turn of Claude with everything in it', () => {
  test('has its results in tool messages of chat, and its calls nowhere as text', () => {
    const { body } = send(fromClaude, 'openai-chat', 'm')
    const messages = elementsOf('openai-chat', body)
    const roles = messages.map(({ role }) => role)
    expect(roles.slice(2, 6)).toEqual(['assistant', 'tool', 'tool', 'tool'])
    expect(valuesOf(body, 'tool_calls').flat()).toHaveLength(3)
    expect(JSON.stringify(body)).not.toMatch(/tool_use"|_original|redacted_thinking|server_tool_use/)
  })

  test('has every call beside its output in the Responses API, and speaks as the model', () => {
    const { body } = send(fromClaude, 'openai-responses', 'm')
    const items = elementsOf('openai-responses', body)
    const ids = (type: string): readonly unknown[] =>
      items.filter((item) => item['type'] === type).map(({ call_id: id }) => id)
    expect(ids('function_call')).toHaveLength(3)
    expect(ids('function_call_output')).toEqual(ids('function_call'))
    expect(ids('reasoning')).toEqual([])
    const said = items.filter(({ role }) => role === 'assistant')
    expect(valuesOf(said, 'type')).not.toContain('input_text')
    expect(valuesOf(items, 'name')).not.toContain('web_search')
  })

  test('has its calls as function calls of Gemini, signed as must be, and its picture', () => {
    const { body } = send(fromClaude, 'gemini', 'gemini-3-pro')
    expect(valuesOf(body, 'functionCall')).toHaveLength(3)
    expect(valuesOf(body, 'functionResponse')).toHaveLength(3)
    expect(valuesOf(body, 'thoughtSignature')).toHaveLength(1)
    expect(JSON.stringify(valuesOf(body, 'functionResponse'))).toContain(dot)
    expect(valuesOf(body, 'type')).not.toContain('tool_use')
  })

  test('tells everyone which result is an error', () => {
    const marks = {
      anthropic: '"is_error":true',
      gemini: '"error":"No such city"',
      'openai-chat': '\\"error\\":\\"No such city\\"',
      'openai-responses': '\\"error\\":\\"No such city\\"',
      ollama: '\\"error\\":\\"No such city\\"',
    }
    for (const to of all) expect(textIn(send(fromClaude, to, 'm'))).toContain(marks[to])
  })

  test('has its document as one, not as JSON in a text', () => {
    for (const to of ['openai-chat', 'openai-responses', 'gemini'] as const) {
      const texts = valuesOf(send(fromClaude, to, 'm').body, 'text')
      expect(texts.filter((each) => String(each).includes('JVBERi0'))).toEqual([])
      expect(textIn(send(fromClaude, to, 'm'))).toContain('JVBERi0')
    }
  })

  test('takes an edit, and forgets what was before it', () => {
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

describe('a conversation of chat', () => {
  test('has no role and no empty content that Claude does not know', () => {
    const { body } = send(fromChat, 'anthropic', 'm')
    const roles = new Set(elementsOf('anthropic', body).map(({ role }) => role))
    expect([...roles]).toEqual(['user', 'assistant'])
    expect(valuesOf(body, 'content').filter((each) => Array.isArray(each) && each.length === 0)).toEqual([])
    expect(JSON.stringify(body)).toContain('That I will not')
  })

  test('keeps arguments that are no JSON, word by word', () => {
    for (const to of all) {
      const out = send(fromChat, to, 'm')
      expect(textIn(out)).toContain(JSON.stringify('{"city": ').slice(1, -1))
    }
  })

  test('loses no setting in silence', () => {
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
  test('is an error for everyone, whoever made the call', () => {
    const call = toolCall({ id: 'call_1', name: 'weather', arguments: {} })
    const failed = toolResults([toolResult(call, 'No such city', { isError: true })])
    const marks = {
      anthropic: '"is_error":true',
      gemini: '"error":"No such city"',
      'openai-chat': '\\"error\\":\\"No such city\\"',
      'openai-responses': '\\"error\\":\\"No such city\\"',
      ollama: '\\"error\\":\\"No such city\\"',
    }
    for (const to of all)
      expect(textIn(sent(to, user('Weather?'), assistant([call]), failed))).toContain(marks[to])
  })
})

describe('what a target cannot take', () => {
  test('sound of the user is sent, or named as not sent', () => {
    for (const to of all) {
      const out = sent(to, user(['Listen', sound]))
      const carried = textIn(out).includes('UklGRg==')
      expect([to, carried || rulesOf(out).includes('unsupported-media')]).toEqual([to, true])
    }
  })

  test('thoughts and files of an answer are named where chat leaves them out', () => {
    const drawn = file({ data: 'JVBERi0=', mediaType: 'application/pdf' })
    const thoughts = reasoning('Let me think')
    const out = sent('openai-chat', user('Go'), assistant([thoughts, 'Done', drawn]), user('Thanks'))
    const places = out.losses.map(({ path }) => path)
    expect(places).toEqual(expect.arrayContaining(['/messages/1/content/0', '/messages/1/content/2']))
  })

  test('a turn of nothing but foreign thoughts leaves no empty turn', () => {
    const thoughts = reasoning('Let me think', { signature: { vendor: 'openai', value: 'token' } })
    for (const to of all) {
      const out = sent(to, user('Go'), assistant([thoughts]), user('Well?'))
      expect(
        elementsOf(to, out.body).map(({ content, parts }) => (content ?? parts) as unknown),
      ).not.toContainEqual([])
      if (to !== 'openai-responses') expect(out.losses.length).toBeGreaterThan(0)
    }
  })

  test('a turn that was broken off is still what the user saw', () => {
    const broken = { ...assistant('Half of an ans'), finish: { reason: 'aborted' as const } }
    for (const to of all)
      expect(textIn(sent(to, user('Go'), broken, user('Well?')))).toContain('Half of an ans')
  })

  test('ids that begin alike do not become one', () => {
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

describe('a streamed answer of Claude', () => {
  const response = anthropic.decodeResponse(answers.anthropic).value
  const stream = (): AsyncIterable<Uint8Array> => anthropic.encodeStream(toEvents(response))

  test('keeps its signature and what it counted', async () => {
    const back = await accumulate(anthropic.decodeStream(stream()))
    expect(back.candidates[0]?.content[0]?.signature?.value).toBe(
      response.candidates[0]?.content[0]?.signature?.value,
    )
    expect(back.usage?.inputTokens).toBe(9)
  })

  test.each(all.filter((name) => name !== 'anthropic'))('shows no thoughts as words of %s', async (to) => {
    const { body } = translateStream(stream(), { from: 'anthropic', to })
    const back = await accumulate(dialects[to].decodeStream(body))
    const [answer] = back.candidates
    expect(answer === undefined ? '' : textOf(answer)).toBe('Claude looks')
    const made: JsonObject = dialects[to].encodeResponse(response).value
    expect(JSON.stringify(made)).not.toContain('sealed=')
  })
})
