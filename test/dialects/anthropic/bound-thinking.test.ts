import {
  accumulate,
  type AssistantMessage,
  type ChatRequest,
  dialects,
  type EncodeOptions,
  type Message,
  Messages,
  system,
  type Tool,
  updateMessage,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { source } from '../stream-responses.ts'

const { anthropic } = dialects
const MODEL = 'claude-opus-5-5'

const tool = (name: string): Tool => ({ type: 'function', name, input: { type: 'object' } })

const answerBody = (model: string): Record<string, unknown> => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [
    { type: 'thinking', thinking: '', signature: `sealed by ${model}` },
    { type: 'text', text: 'Done', citations: null },
  ],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})

/** Returns the answer of a model to a request. */
function answer(request: ChatRequest, model: string = MODEL): AssistantMessage {
  const [message] = anthropic.decodeResponse(answerBody(model), { request }).value.candidates
  if (message === undefined) throw new Error('no answer')
  return message
}

async function streamedAnswer(request: ChatRequest): Promise<AssistantMessage> {
  const response = anthropic.decodeResponse(answerBody(MODEL)).value
  const { toEvents } = await import('interlingua')
  let text = ''
  for await (const bytes of anthropic.encodeStream(toEvents(response)))
    text += new TextDecoder().decode(bytes)
  const [message] = (await accumulate(anthropic.decodeStream(source(text), { request }))).candidates
  if (message === undefined) throw new Error('no answer')
  return message
}

const first: readonly Message[] = [system('Be brief'), user('Plan')]
const asked: ChatRequest = { model: MODEL, messages: first, tools: [tool('search')] }

function send(
  request: ChatRequest,
  options: EncodeOptions = {},
): { thinking: number; rules: readonly string[] } {
  const { value, losses } = anthropic.encodeRequest(request, options)
  return {
    thinking: JSON.stringify(value).split('"type":"thinking"').length - 1,
    rules: losses.map(({ rule }) => rule).filter((rule) => rule.includes('reasoning')),
  }
}

const kept = { thinking: 1, rules: [] }
const omitted = { thinking: 0, rules: ['bound-reasoning'] }

describe('thinking that is bound to its model and its prefix', () => {
  const reply = answer(asked)
  const next: ChatRequest = { ...asked, messages: [...first, reply, user('Again')] }

  test('is sent again after an unchanged conversation', async () => {
    expect(send(next)).toEqual(kept)
    const streamed = await streamedAnswer(asked)
    expect(send({ ...next, messages: [...first, streamed, user('Again')] })).toEqual(kept)
    expect(send({ ...next, messages: [user('Other'), streamed, user('Again')] })).toEqual(omitted)
  })

  const changes: readonly (readonly [string, ChatRequest])[] = [
    ['an edited message', { ...next, messages: [system('Be brief'), user('Plan!'), reply, user('Again')] }],
    ['another system text', { ...next, messages: [system('Be long'), user('Plan'), reply, user('Again')] }],
    ['a removed message', { ...next, messages: [user('Plan'), reply, user('Again')] }],
    ['another tool', { ...next, tools: [tool('search'), tool('fetch')] }],
  ]
  test.each(changes)('is omitted after %s', (_title, request) => {
    expect(send(request)).toEqual(omitted)
  })

  test('data that is never sent may change', () => {
    const [, question] = first
    if (question === undefined) throw new Error('no question')
    const labelled = updateMessage(question, { metadata: { seen: true } })
    expect(send({ ...next, messages: [system('Be brief'), labelled, reply, user('Again')] })).toEqual(kept)
  })

  test.each([
    ['claude-opus-5-5', 'anthropic.claude-opus-5-5-v1:0', kept],
    ['claude-opus-5-5', 'claude-sonnet-5-5', omitted],
    ['claude-sonnet-4-5', 'claude-opus-5-5', omitted],
    ['claude-opus-5-5', 'claude-sonnet-4-5', omitted],
    ['claude-opus-5', 'claude-fable-5-1', kept],
    ['claude-opus-5-5', 'claude-fable-5-1', kept],
    ['claude-fable-5-1', 'claude-opus-5', omitted],
    ['claude-sonnet-4-5-20250929', 'claude-opus-4-5', kept],
    ['claude-opus-5', 'claude-sonnet-5', kept],
  ])('of %s for %s', (producer, model, expected) => {
    const messages = [...first, answer({ ...asked, model: producer }, producer), user('Again')]
    expect(send({ ...asked, model, messages })).toEqual(expected)
  })

  test('later thinking stays while its own conversation is unchanged', () => {
    const edited: readonly Message[] = [system('Be brief'), user('Plan!'), reply, user('Again')]
    const second = answer({ ...asked, messages: edited })
    const request = { ...asked, messages: [...edited, second, user('Once more')] }
    expect(send(request)).toEqual({ thinking: 1, rules: ['bound-reasoning'] })
  })

  test('a received request is sent as it is, and checked after an edit', () => {
    const body = anthropic.encodeRequest(next).value
    const request = anthropic.decodeRequest(body).value
    expect(anthropic.encodeRequest(request).value).toEqual(body)
    expect(send(request)).toEqual(kept)
    const [, ...others] = request.messages
    expect(send({ ...request, messages: [user('Edited'), ...others] })).toEqual(omitted)
    expect(send(request, { model: 'claude-fable-5-2' })).toEqual(omitted)
  })

  test('the cached text of a growing conversation follows the tools', () => {
    let messages = Messages.of(...first).append(reply, user('Again'))
    const encode = (tools: readonly Tool[]): string =>
      anthropic.encodeRequestText({ model: MODEL, messages, tools }).value
    for (let turn = 0; turn < 3; turn++) {
      messages = messages.append(user('More'))
      expect(encode([tool('search')])).toContain('sealed by')
      expect(encode([tool('other')])).not.toContain('sealed by')
    }
  })
})
