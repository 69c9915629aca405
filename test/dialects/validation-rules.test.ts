import {
  type ChatRequest,
  type ChatResponse,
  dialects,
  type Json,
  text,
  translateRequest,
  translateResponse,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { expectSame, rulesAndPaths } from '../law-assertions.ts'
import { oddResponses, responses } from './bodies/openai-chat-responses.ts'
import { requests as chat } from './bodies/openai-chat-requests.ts'
import { responses as answers } from './bodies/anthropic-responses.ts'

const { anthropic, 'openai-chat': openaiChat } = dialects

const asked = (fields: Partial<ChatRequest>): ChatRequest => ({
  model: 'm',
  maxOutputTokens: 9,
  messages: [user('Hi')],
  ...fields,
})

function pick(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (each, key) => (each as { readonly [key: string]: Json } | undefined)?.[key],
    value,
  )
}

describe('anthropic', () => {
  test('sampling settings are sent to model versions that support them', () => {
    const request = asked({ temperature: 1.5, topP: 0.5 })
    expect(rulesAndPaths(anthropic.encodeRequest(request))).toEqual([
      'sampling-refused /temperature',
      'sampling-refused /topP',
    ])
    const old = anthropic.encodeRequest(request, { apiVersion: '2023-06-01' })
    expect(rulesAndPaths(old)).toEqual(['temperature-range /temperature'])
    expect(old.value).toMatchObject({ temperature: 1, top_p: 0.5 })
  })

  test('a request that was received with sampling settings keeps them, unless the version rejects them', () => {
    const body = { model: 'm', max_tokens: 9, temperature: 0.5, messages: [] }
    const { value } = anthropic.decodeRequest(body)
    expectSame(anthropic.encodeRequest({ ...value, temperature: 0.75 }).value, { ...body, temperature: 0.75 })
    const refused = anthropic.encodeRequest(value, { apiVersion: '2026-10-21' })
    expect(rulesAndPaths(refused)).toEqual(['sampling-refused /temperature'])
    expect(refused.value).not.toHaveProperty('temperature')
  })

  test('the last four cache markers are kept', () => {
    const marked = Array.from({ length: 6 }, (_, index) => text(`part ${index}`, { cache: {} }))
    const out = anthropic.encodeRequest(asked({ messages: [user(marked)] }))
    expect(rulesAndPaths(out)).toEqual([
      'cache-limit /messages/0/content/0/cache',
      'cache-limit /messages/0/content/1/cache',
    ])
    expect(JSON.stringify(out.value).match(/cache_control/g)).toHaveLength(4)
  })

  test('a tool choice without tools is omitted', () => {
    const out = anthropic.encodeRequest(asked({ toolChoice: 'required', parallelToolCalls: false }))
    expect(rulesAndPaths(out)).toEqual([
      'choice-without-tools /toolChoice',
      'choice-without-tools /parallelToolCalls',
    ])
    expect(out.value).not.toHaveProperty('tool_choice')
  })

  test('citations in user messages are kept if they were received there, and rejected otherwise', () => {
    const cited = text('Words', { extra: {} })
    const citations = [
      { type: 'source', document: 0, quote: 'Words', location: { unit: 'page', start: 1, end: 2 } },
    ] as const
    const out = anthropic.encodeRequest(asked({ messages: [user([{ ...cited, citations }])] }))
    expect(rulesAndPaths(out)).toEqual(['user-citation /messages/0/content/0/citations'])
    const block = {
      type: 'page_location',
      cited_text: 'Words',
      document_index: 0,
      document_title: null,
      start_page_number: 1,
      end_page_number: 2,
    }
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Words', citations: [block] }] }],
    }
    expectSame(anthropic.encodeRequest(anthropic.decodeRequest(body).value), { value: body, losses: [] })
  })

  test('a conversation starts with a user message', () => {
    const out = anthropic.encodeRequest(
      asked({ messages: [{ id: 'msg_1', role: 'assistant', content: [text('Hello')] }] }),
    )
    expect(rulesAndPaths(out)).toEqual(['first-turn /messages/0'])
    expect(pick(out.value, 'messages', 0, 'role')).toBe('user')
  })

  test('input tokens are added up, and split again', () => {
    const used = { prompt_tokens: 11 + 5 + 6, completion_tokens: 34, total_tokens: 56 }
    const body = {
      ...answers['plain'],
      usage: {
        input_tokens: 11,
        output_tokens: 34,
        cache_read_input_tokens: 5,
        cache_creation_input_tokens: 6,
      },
    }
    const crossed = translateResponse(body, { from: 'anthropic', to: 'openai-chat', now: () => 0 })
    expect(crossed.value['usage']).toMatchObject(used)
    const back = translateResponse(crossed.value, { from: 'openai-chat', to: 'anthropic' })
    expect(back.value['usage']).toMatchObject(body.usage)
  })
})

describe('openai-chat', () => {
  test('log probabilities are removed when their text is edited', () => {
    const body = responses['measured']
    const { value } = openaiChat.decodeResponse(body)
    expectSame(openaiChat.encodeResponse(value), { value: body, losses: [] })
    const [candidate] = value.candidates
    if (candidate === undefined) return expect.fail('there is a candidate')
    const edited: ChatResponse = {
      ...value,
      candidates: [{ ...candidate, content: [text('Something else')] }],
    }
    const out = openaiChat.encodeResponse(edited)
    expect(pick(out.value, 'choices', 0, 'logprobs')).toBeNull()
    expect(out.losses.map(({ rule }) => rule)).toEqual(['stale-logprobs'])
  })

  test('four stop sequences are sent', () => {
    const out = openaiChat.encodeRequest(asked({ stop: ['a', 'b', 'c', 'd', 'e'] }))
    expect(rulesAndPaths(out)).toEqual(['stop-limit /stop/4'])
    expect(out.value['stop']).toEqual(['a', 'b', 'c', 'd'])
  })

  test('five stop sequences are sent to Gemini, and more if they were received', () => {
    const stop = ['a', 'b', 'c', 'd', 'e', 'f']
    const out = dialects.gemini.encodeRequest(asked({ stop }))
    expect(rulesAndPaths(out)).toEqual(['stop-limit /stop/5'])
    expect(pick(out.value, 'generationConfig', 'stopSequences')).toEqual(stop.slice(0, 5))
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { stopSequences: stop },
    }
    expectSame(dialects.gemini.encodeRequest(dialects.gemini.decodeRequest(body).value).value, body)
  })

  test('a legacy function message is paired with its call by name', () => {
    const [, call, result] = [...openaiChat.decodeRequest(chat['legacy']).value.messages]
    const [made] = call?.content ?? []
    expect(result).toMatchObject({
      role: 'tool',
      content: [{ callId: made?.type === 'tool-call' ? made.id : '' }],
    })
    const { value } = translateRequest(chat['legacy'], { from: 'openai-chat', to: 'anthropic' })
    expect(pick(value, 'messages', 2, 'content', 0, 'type')).toBe('tool_result')
  })

  test('annotations are citations of the text', () => {
    const [candidate] = openaiChat.decodeResponse(responses['cited']).value.candidates
    expect(candidate?.content[0]).toMatchObject({
      citations: [
        { type: 'source', url: 'https://example.org/snow', title: 'Snow in Oslo', start: 3, end: 8 },
      ],
    })
    const crossed = translateResponse(answers['searched'], { from: 'anthropic', to: 'openai-chat' })
    expect(pick(crossed.value, 'choices', 0, 'message', 'annotations', 0, 'url_citation', 'url')).toBe(
      'https://example.org/snow',
    )
  })

  test('audio of the assistant is sent by its id, unless it is edited', () => {
    const { value } = openaiChat.decodeResponse(responses['spoken'])
    const [candidate] = value.candidates
    if (candidate === undefined) return expect.fail('there is a candidate')
    const replay = (message: typeof candidate): Json | undefined => {
      return pick(openaiChat.encodeRequest(asked({ messages: [user('Hi'), message] })).value, 'messages', 1)
    }
    expect(replay(candidate)).toMatchObject({ audio: { id: 'audio_1' } })
    const [part] = candidate.content
    if (part?.type !== 'audio') return expect.fail('it speaks')
    expect(
      JSON.stringify(replay({ ...candidate, content: [{ ...part, transcript: 'Other words' }] })),
    ).not.toContain('audio_1')
  })

  test('cached tokens are read from the field of each host, and separate reasoning tokens are added', () => {
    expect(openaiChat.decodeResponse(oddResponses['deepseek']).value.usage).toMatchObject({
      inputTokens: 20,
      cachedInputTokens: 16,
    })
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 22,
      completion_tokens_details: { reasoning_tokens: 7 },
    }
    const { value } = openaiChat.decodeResponse({ ...responses['plain'], usage })
    expect(value.usage).toMatchObject({ outputTokens: 12, totalTokens: 22, reasoningTokens: 7 })
    expectSame(openaiChat.encodeResponse(value).value['usage'], usage)
  })

  test('cache markers are translated between both styles', () => {
    const body = {
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } }],
        },
      ],
    }
    const there = translateRequest(body, { from: 'openai-chat', to: 'anthropic' })
    const marker = pick(there.value, 'messages', 0, 'content', 0, 'cache_control')
    expect(marker).toEqual({ type: 'ephemeral', ttl: '1h' })
    const back = translateRequest(there.value, { from: 'anthropic', to: 'openai-chat' })
    expect(rulesAndPaths(back)).toEqual(['cache-lifetime /messages/0/content/0/cache/ttl'])
    expect(pick(back.value, 'messages', 0, 'content', 0, 'prompt_cache_breakpoint')).toEqual({
      mode: 'explicit',
    })
  })
})
