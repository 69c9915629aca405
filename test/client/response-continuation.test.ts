import {
  assistant,
  type AssistantMessage,
  fromJson,
  sanitize,
  toJson,
  updateMessage,
  type JsonObject,
  type Message,
  system,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResults,
  user,
} from 'interlingua'
import { openaiResponses, type ProviderOptions } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { responseOf } from '../providers/fakes/openai-responses.ts'
import { type Captured, type Fake, sends, startFake } from '../providers/fakes/server.ts'
import { sse } from '../providers/fakes/wire.ts'
import { converse } from './converse.ts'

type Body = JsonObject & { readonly input: readonly JsonObject[]; readonly previous_response_id?: string }

/** A provider that stores responses: the conversation that its model sees for each request, and its store. */
let stored: Map<string, readonly JsonObject[]>
let seen: (readonly JsonObject[])[]
let fake: Fake

const bodies = (): readonly Body[] => fake.requests.map(({ body }) => body as Body)

function answer({ body }: Captured): ReturnType<typeof sends> {
  const { input, previous_response_id: previous, store, stream } = body as Body
  const before = previous === undefined ? [] : stored.get(previous)
  if (before === undefined) {
    const message = `Previous response with id '${previous}' not found.`
    const error = {
      message,
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    }
    return sends({ error }, 400)
  }
  seen.push([...before, ...input])
  const id = `resp_${seen.length}`
  const asked = input.at(-1)
  const calls = JSON.stringify(asked).includes('weather')
  const item: JsonObject = calls
    ? {
        id: `fc_${id}`,
        type: 'function_call',
        call_id: `call_${id}`,
        name: 'weather',
        arguments: '{}',
        status: 'completed',
      }
    : {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: `Answer ${seen.length}`, annotations: [], logprobs: [] }],
      }
  const reasoning: JsonObject = { id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: 'ENC' }
  const output = [reasoning, item]
  if (store !== false) stored.set(id, [...before, ...input, ...output])
  const whole = responseOf('completed', output, id)
  if (stream !== true) return sends(whole)
  const events = [
    sse({ type: 'response.created', sequence_number: 0, response: responseOf('in_progress', [], id) }),
    ...output.map((each, index) =>
      sse({ type: 'response.output_item.done', sequence_number: index + 1, output_index: index, item: each }),
    ),
    sse({ type: 'response.completed', sequence_number: 3, response: whole }),
  ]
  return (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''))
}

beforeEach(async () => {
  stored = new Map()
  seen = []
  fake = await startFake((response, request) => answer(request)(response, request))
})
afterEach(() => fake.close())

const modelWith = (options: ProviderOptions = {}): ReturnType<typeof openaiResponses> =>
  openaiResponses('fake-1', { apiKey: 'k', baseUrl: fake.url, retry: { maxAttempts: 1 }, ...options })

const QUESTIONS = ['One?', 'Two, and the weather?', 'Three?', 'The weather again?', 'Five?']

/** The conversation that the model of the provider sees, without its own ids and encodings. */
const gist = (items: readonly JsonObject[] | undefined): readonly unknown[] =>
  (items ?? []).map(({ type, role, content, call_id: call, output }) => ({
    type,
    role,
    call,
    output,
    content: textIn(content),
  }))

function textIn(content: unknown): unknown {
  return Array.isArray(content) ? (content as { text: string }[]).map(({ text }) => text).join('') : content
}

test('[r173] only new messages are sent, and the provider sees the entire conversation', async () => {
  const messages = await converse(modelWith(), QUESTIONS)
  const [first, ...others] = bodies()
  expect(first).not.toHaveProperty('previous_response_id')
  expect(others.length).toBe(6)
  for (const body of others) {
    expect(body.previous_response_id).toBe(`resp_${bodies().indexOf(body)}`)
    expect(body.input.length).toBe(1)
  }
  const continued = seen.at(-1)
  await modelWith().generate({ messages: messages.slice(0, -1).map(withoutDigest) })
  expect(bodies().at(-1)).not.toHaveProperty('previous_response_id')
  expect(gist(seen.at(-1))).toEqual(gist(continued))
})

/** Returns a message as another program would store it: without the digest of its conversation. */
function withoutDigest(message: Message): Message {
  if (message.role !== 'assistant' || message.origin === undefined) return message
  const { storedDigest: _digest, ...origin } = message.origin
  return { ...message, origin }
}

test('[r173] a stored conversation is continued after a restart', async () => {
  const storage = memoryStorage()
  const { id } = await storage.createSession()
  await storage.append(id, await converse(modelWith(), QUESTIONS.slice(0, 3)))
  const kept = JSON.parse(JSON.stringify(toJson(await storage.messages(id)))) as unknown
  const restarted = modelWith()
  for (const messages of [await storage.messages(id), fromJson(kept)]) {
    const asked = [...messages, user('And after that?')]
    const last = [...messages].at(-1)
    const { message } = await restarted.generate({ messages: asked })
    expect(bodies().at(-1)).toMatchObject({
      previous_response_id: last?.role === 'assistant' ? last.origin?.responseId : 'none',
      input: [{ role: 'user' }],
    })
    expect((await restarted.stream({ messages: [...asked, message, user('Why?')] }).reply).text).toContain(
      'Answer',
    )
    expect(bodies().at(-1)).toMatchObject({ previous_response_id: message.origin?.responseId })
  }
})

test('after a restart, neither an edited conversation nor that of another provider is continued', async () => {
  const [rules, question, reply] = (await converse(modelWith(), ['One?'])) as [
    Message,
    Message,
    AssistantMessage,
  ]
  const later = user('And?')
  const { origin = { dialect: '' } } = reply
  for (const changed of [
    [rules, user('One!'), reply, later],
    [rules, question, updateMessage(reply, { content: assistant('Nothing.').content }), later],
    [rules, question, { ...reply, origin: { ...origin, provider: 'azure-openai' } }, later],
    [rules, question, { ...reply, origin: { ...origin, dialect: 'openai-chat' } }, later],
    [rules, question, withoutDigest(reply), later],
    [rules, ...sanitize([question, reply], {}).value, later],
  ]) {
    await modelWith().generate({ messages: changed })
    expect(bodies().at(-1)).not.toHaveProperty('previous_response_id')
  }
})

test('if the stored response has expired, everything is sent, once', async () => {
  const model = modelWith()
  const messages = await converse(model, QUESTIONS.slice(0, 2))
  stored.clear()
  const before = fake.requests.length
  const again = { messages: [...messages, user('And now?')] }
  const reply = await model.generate(again)
  expect(reply.timing.attempts).toBe(2)
  expect(
    bodies()
      .slice(before)
      .map((body) => 'previous_response_id' in body),
  ).toEqual([true, false])
  expect(seen.at(-1)?.length).toBeGreaterThan(6)
  stored.clear()
  expect((await model.stream(again).reply).text).toContain('Answer')
})

test('an edit before the stored response sends everything again', async () => {
  const model = modelWith()
  const messages = await converse(model, QUESTIONS.slice(0, 1))
  const [rules, question, reply] = messages as [Message, Message, Message]
  const later = user('And?')
  for (const changed of [
    [system('Be long.'), question, reply, later],
    [rules, user('One!'), reply, later],
    [rules, question, updateMessage(reply, { content: assistant('Nothing.').content }), later],
    [rules, reply, later],
  ]) {
    await model.generate({ messages: changed })
    expect(bodies().at(-1)).not.toHaveProperty('previous_response_id')
  }
  await model.generate({ messages: JSON.parse(JSON.stringify([rules, question, reply, later])) as Message[] })
  expect(bodies().at(-1)).toHaveProperty('previous_response_id', 'resp_1')
})

test('an edit after a stored response sends everything after that response', async () => {
  const model = modelWith()
  const [rules, first, reply, second, last] = (await converse(model, ['One?', 'Two?'])) as [
    Message,
    Message,
    Message,
    Message,
    Message,
  ]
  const edited = updateMessage(last, { content: assistant('Nothing.').content })
  await model.generate({ messages: [rules, first, reply, second, edited, user('And?')] })
  expect(bodies().at(-1)).toMatchObject({ previous_response_id: 'resp_1' })
  expect(gist(bodies().at(-1)?.input).map((item) => (item as { content: unknown }).content)).toEqual([
    'Two?',
    'Nothing.',
    'And?',
  ])
})

test('after tool calls of another model everything is sent, since their ids may be reused', async () => {
  const model = modelWith()
  const messages = await converse(model, ['The weather?'])
  const [{ id } = { id: '' }] = messages.flatMap(toolCallsOf)
  const theirs = assistant([toolCall({ id, name: 'weather', arguments: {} })])
  const results = toolResults([toolResult(id, 'rain')])
  await model.generate({ messages: [...messages, theirs, results, user('And?')] })
  expect(bodies().at(-1)).not.toHaveProperty('previous_response_id')
  const ids = bodies()
    .at(-1)
    ?.input.flatMap(({ type, call_id: called }) => (type === 'function_call' ? [called] : []))
  expect(new Set(ids).size).toBe(2)
})

test('a branch continues from the stored response where it branched', async () => {
  const model = modelWith()
  const [rules, question, reply] = await converse(model, ['One?', 'Two?'])
  await model.generate({ messages: [rules, question, reply, user('Another two?')] as Message[] })
  expect(bodies().at(-1)).toMatchObject({ previous_response_id: 'resp_1' })
  expect(bodies().at(-1)?.input.length).toBe(1)
})

test('an explicit continuation is kept, and a response that is not stored is not tracked', async () => {
  const model = modelWith()
  const extra = { 'openai-responses': { store: false } }
  const { message } = await model.generate({ messages: [user('Hi')], extra })
  const { message: other } = await model.generate({ messages: [user('Hi')], store: false })
  for (const reply of [message, other]) {
    await model.generate({ messages: [user('Hi'), reply, user('More')] })
    expect(bodies().at(-1)).not.toHaveProperty('previous_response_id')
  }
  const messages = [user('Hi'), message, user('More')]
  await model.generate({ messages, extra: { 'openai-responses': { previous_response_id: 'resp_3' } } })
  expect(bodies().at(-1)?.previous_response_id).toBe('resp_3')
  expect(bodies().at(-1)?.input.length).toBeGreaterThan(1)
})

test('without storage, encrypted reasoning is sent', async () => {
  await converse(modelWith({ state: 'encrypted' }), QUESTIONS)
  for (const body of bodies()) {
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
    expect(body).not.toHaveProperty('previous_response_id')
  }
  expect(stored.size).toBe(0)
  const kinds = bodies()
    .at(-1)
    ?.input.map(({ type }) => type)
  expect(kinds?.filter((type) => type === 'reasoning').length).toBe(6)
  expect(JSON.stringify(bodies().at(-1)?.input)).toContain('"encrypted_content":"ENC"')
})
