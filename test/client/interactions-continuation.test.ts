import { type JsonObject, user } from 'interlingua'
import { gemini, geminiInteractions, type ProviderOptions } from 'interlingua/providers'
import { beforeEach, describe, expect, test } from 'vitest'
import { sse } from '../providers/fakes/wire.ts'
import { converse } from './converse.ts'

type Body = JsonObject & {
  readonly input: readonly JsonObject[]
  readonly previous_interaction_id?: string
  readonly store?: boolean
  readonly stream?: boolean
}

/** Google's API, which stores interactions: the requests, and the stored ids. */
let requests: { readonly url: string; readonly body: Body }[]
let stored: Set<string>
/** The error text of an interaction that is not stored. */
let notFound = ''

beforeEach(() => {
  requests = []
  stored = new Set()
})

const bodies = (): readonly Body[] => requests.map(({ body }) => body)

function answer(body: Body): Response {
  const { previous_interaction_id: previous, store, stream } = body
  if (previous !== undefined && !stored.has(previous))
    return Response.json({ error: { code: 'not_found', message: notFound } }, { status: 404 })
  const id = `v1_${requests.length}`
  if (store !== false) stored.add(id)
  const isAsked = JSON.stringify(body.input.at(-1)).includes('weather?')
  const step: JsonObject = isAsked
    ? { type: 'function_call', id: `call_${id}`, name: 'weather', arguments: {} }
    : { type: 'model_output', content: [{ type: 'text', text: `Answer ${requests.length}` }] }
  const thought: JsonObject = { type: 'thought', signature: 'c2lnbmVk' }
  const interaction = { id, object: 'interaction', model: 'gemini-x' }
  const ended = { ...interaction, status: isAsked ? 'requires_action' : 'completed' }
  if (stream !== true) return Response.json({ ...ended, steps: [thought, step] })
  const events = [
    { event_type: 'interaction.created', interaction: { ...interaction, status: 'in_progress' } },
    ...[thought, step].flatMap((each, index) => [
      { event_type: 'step.start', index, step: each },
      { event_type: 'step.stop', index },
    ]),
    { event_type: 'interaction.completed', interaction: ended },
  ]
  return new Response(events.map((event) => sse(event, event.event_type)).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })
}

const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const body = JSON.parse(init?.body as string) as Body
  requests.push({ url: new Request(input).url, body })
  return Promise.resolve(answer(body))
}

const modelWith = (options: ProviderOptions = {}): ReturnType<typeof geminiInteractions> =>
  geminiInteractions('gemini-x', { apiKey: 'k', fetch, retry: { maxAttempts: 1 }, ...options })

const QUESTIONS = ['One?', 'And the weather?', 'Three?']

test('only new steps are sent, with the system instruction', async () => {
  await converse(modelWith(), QUESTIONS)
  const [first, ...others] = bodies()
  expect(first).not.toHaveProperty('previous_interaction_id')
  expect(others.map(({ input }) => input.map(({ type }) => type))).toEqual([
    ['user_input'],
    ['function_result'],
    ['user_input'],
  ])
  expect(others.map((body) => body.previous_interaction_id)).toEqual(['v1_1', 'v1_2', 'v1_3'])
  for (const body of bodies()) expect(body).toMatchObject({ system_instruction: 'Be brief.' })
})

describe.each([
  "Previous interaction 'v1_2' was not found.",
  'Interaction v1_2 not found.',
  'Requested entity was not found.',
])('a stored interaction that has expired: %s', (message) => {
  test('everything is sent, once', async () => {
    notFound = message
    const messages = await converse(modelWith(), QUESTIONS.slice(0, 1))
    stored.clear()
    const reply = await modelWith().generate({ messages: [...messages, user('And now?')] })
    expect(reply.timing.attempts).toBe(2)
    expect(bodies().map((body) => 'previous_interaction_id' in body)).toEqual([false, true, false])
    expect(bodies().at(-1)?.input.length).toBeGreaterThan(2)
  })
})

test('an explicit continuation is kept, and an interaction that is not stored is not tracked', async () => {
  const model = modelWith()
  const { message } = await model.generate({ messages: [user('Hi')], store: false })
  const messages = [user('Hi'), message, user('More')]
  await model.generate({ messages })
  expect(bodies().at(-1)).not.toHaveProperty('previous_interaction_id')
  const extra = { 'gemini-interactions': { previous_interaction_id: 'v1_2' } }
  await model.generate({ messages, extra })
  expect(bodies().at(-1)?.previous_interaction_id).toBe('v1_2')
  expect(bodies().at(-1)?.input.length).toBeGreaterThan(1)
})

test('without storage, thoughts are sent back with their signatures', async () => {
  await converse(modelWith({ state: 'encrypted' }), QUESTIONS)
  for (const body of bodies()) {
    expect(body.store).toBe(false)
    expect(body).not.toHaveProperty('previous_interaction_id')
  }
  expect(bodies().at(-1)?.input).toContainEqual({ type: 'thought', signature: 'c2lnbmVk' })
})

test.each([
  ['deep-research-preview-04-2026', '/v1beta/interactions'],
  ['antigravity-preview-05-2026', '/v1beta/interactions'],
  ['agents/mine', '/v1beta/interactions'],
  ['gemini-3-flash', '/v1beta/models/gemini-3-flash:generateContent'],
])('gemini calls %s at %s', async (name, path) => {
  await gemini(name, { apiKey: 'k', fetch })
    .generate('Hi')
    .catch(() => {})
  expect(new URL(requests[0]?.url ?? '').pathname).toBe(path)
})
