import fc from 'fast-check'
import {
  type AssistantMessage,
  type ChatRequest,
  dialects,
  type JsonObject,
  type Message,
  Messages,
  text,
  toolCall,
  toolResult,
  toolResults,
} from 'interlingua'
import { openaiResponses } from 'interlingua/providers'
import { expect, test } from 'vitest'
import { getMessageBuffer } from '../../src/canonical/collections/message-buffer.ts'
import {
  type ContinuationTracker,
  createContinuationTracker,
} from '../../src/client/response-continuation.ts'
import { anyMessages, RUNS } from '../arbitraries.ts'
import { expectSame, law } from '../law-assertions.ts'
import { responseOf } from '../providers/fakes/openai-responses.ts'

type Body = JsonObject & { readonly input: readonly JsonObject[] }

/** The dialects whose providers store responses, and the fields of their requests. */
const stores = [
  { name: 'openai-responses', idField: 'previous_response_id', systemField: 'instructions' },
  { name: 'gemini-interactions', idField: 'previous_interaction_id', systemField: 'system_instruction' },
] as const

type Name = (typeof stores)[number]['name']

const encoding = { model: 'fake-1' }
const call = toolCall({ id: 'call_of_the_anchor', name: 'look', arguments: {} })

const items = (name: Name, messages: readonly Message[]): Body =>
  dialects[name].encodeRequest({ messages, maxOutputTokens: 9 }, encoding).value as unknown as Body

/** A response of the provider with text, tool calls, or both. */
const anchors = (dialect: Name): fc.Arbitrary<AssistantMessage> =>
  fc.subarray([text('So be it.'), call], { minLength: 1 }).map((content) => ({
    id: 'msg_anchor',
    role: 'assistant',
    content,
    origin: { dialect, provider: 'host', responseId: 'resp_1' },
  }))

/** Messages after the stored response, sometimes with the result that it waits for. */
const followers = fc
  .tuple(fc.boolean(), anyMessages)
  .map(([isAnswered, messages]) =>
    isAnswered ? [toolResults([toolResult(call, 'Found.')]), ...messages] : messages,
  )

/** A system message that is encoded as a field of the body. */
const beginnings = (name: Name, systemField: string): fc.Arbitrary<readonly Message[]> =>
  fc.constantFrom({}, { [systemField]: 'Be brief.' }).map((fields) => {
    const { messages } = dialects[name].decodeRequest({ model: 'm', input: [], ...fields }).value
    return [...messages]
  })

test.each(stores)(
  '[r173] $name: the items sent for a stored conversation are the end of the items of the entire conversation',
  ({ name, idField, systemField }) => {
    let shortened = 0
    const conversations = fc.tuple(beginnings(name, systemField), anyMessages, anchors(name), followers)
    law(
      conversations,
      ([beginning, before, received, later]) => {
        const asked = [...beginning, ...before]
        const track = (): ContinuationTracker => createContinuationTracker(dialects[name], 'host', encoding)
        const answer = { candidates: [received] }
        const [anchor = received] = track().addStoredDigest({ messages: asked }, answer).candidates
        // Another process continues the conversation.
        const request: ChatRequest = { messages: [...asked, anchor, ...later], maxOutputTokens: 9 }
        const body = track().encodeNewMessages(request)
        if (body === undefined) return
        shortened++
        const { input, [idField]: id, ...around } = JSON.parse(body) as Body
        const { input: all, ...whole } = items(name, [...asked, anchor, ...later])
        expect(id).toBe('resp_1')
        expectSame(around, whole)
        expectSame(input, all.slice(all.length - input.length))
        // Without later messages, a call gets a result that says that it is missing.
        const end = anchor.content.includes(call) ? -1 : undefined
        const kept = items(name, [...asked, anchor]).input.slice(0, end)
        expectSame(all.slice(0, all.length - input.length), kept)
      },
      RUNS / 10,
    )
    expect(shortened).toBeGreaterThan(RUNS / 100)
  },
)

/** A message that throws on every access. */
const untouchable = (): Message =>
  new Proxy({} as Message, {
    get: (_message, key) => expect.fail(`looked at ${String(key)} again`),
    ownKeys: () => expect.fail('looked at its keys again'),
  })

test('a turn reads only new messages', async () => {
  const bodies: Body[] = []
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    bodies.push(JSON.parse(init?.body as string) as Body)
    const content = [{ type: 'output_text', text: 'Yes.', annotations: [], logprobs: [] }]
    const item = { id: `msg_${bodies.length}`, type: 'message', role: 'assistant', content }
    return Promise.resolve(Response.json(responseOf('completed', [item], `resp_${bodies.length}`)))
  }
  const model = openaiResponses('fake-1', { apiKey: 'k', fetch })
  let messages = Messages.of().system('Be brief.')
  for (let turn = 1; turn <= 6; turn++) {
    messages = messages.user(`And ${turn}?`)
    messages = messages.append((await model.generate({ messages })).message)
    // The messages of the first two requests are memoized from then on; the system message may be encoded
    // again.
    if (turn > 2) getMessageBuffer(messages).items.fill(untouchable(), 1, messages.size - 1)
  }
  expect(bodies.map(({ input }) => input.length)).toEqual([2, 1, 1, 1, 1, 1])
  expect(bodies.map((body) => body['previous_response_id'])).toEqual([
    undefined,
    ...[1, 2, 3, 4, 5].map((turn) => `resp_${turn}`),
  ])
})

test('losses are reported once, and those of the shortened body do not reject the request', async () => {
  const reported: string[] = []
  const fetch = (): Promise<Response> => Promise.resolve(Response.json(responseOf('completed', [outputItem])))
  const outputItem = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Yes.' }],
  }
  const model = openaiResponses('fake-1', {
    apiKey: 'k',
    fetch,
    onLoss: ({ rule }) => (reported.push(rule), 'allow'),
  })
  const first = Messages.of().user('Hi', { name: 'Ada' })
  const { message } = await model.generate({ messages: first })
  const { losses } = await model.generate({ messages: first.append(message).user('More', { name: 'Ada' }) })
  expect(losses.length).toBe(2)
  expect(reported.length).toBe(3)
})
