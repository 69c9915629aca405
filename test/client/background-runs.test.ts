import { type ChatEvent, textOf, user } from 'interlingua'
import {
  type BackgroundRuns,
  gemini,
  geminiInteractions,
  type Model,
  openaiResponses,
  type ProviderOptions,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { type MockServer, startMockServer } from 'interlingua/testing/providers'
import { afterEach, describe, expect, test } from 'vitest'

const ANSWER = 'The proposals differ in three points, and agree in the rest.'

let server: MockServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

/** The providers with background runs, and the name of a model. */
const subjects = [
  { title: 'openai', provider: openaiResponses, path: '/v1', name: 'gpt-x' },
  { title: 'gemini', provider: geminiInteractions, path: '', name: 'gemini-3.8-flash' },
] as const

type Subject = (typeof subjects)[number]

/** Starts a server, and creates a model that calls it. */
async function createModel({ provider, path, name }: Subject, options: ProviderOptions = {}): Promise<Model> {
  server = await startMockServer({ model: scripted(() => ANSWER) })
  const retry = { maxAttempts: 3, baseDelayMs: 1 }
  return provider(name, { apiKey: 'k', baseUrl: `${server.url}${path}`, retry, ...options })
}

function runsOf({ background }: Model): BackgroundRuns {
  if (background === undefined) throw new Error('no background runs')
  return background
}

/** Returns a response whose connection is lost within the event after `count` events. */
async function cutAfterEvents(response: Response, count: number): Promise<Response> {
  const events = (await response.text()).split(/(?<=\n\n)/)
  const pieces = [...events.slice(0, count), (events[count] ?? '').slice(0, 20)]
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces.shift()
        if (piece === undefined) controller.error(new TypeError('terminated'))
        else controller.enqueue(new TextEncoder().encode(piece))
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

const textIn = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')

async function collect(events: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const all: ChatEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

describe.each(subjects)('$title', (subject) => {
  test('a run is started, polled, and continued by the next request', async () => {
    const model = await createModel(subject)
    const runs = runsOf(model)
    const { id, status, reply } = await runs.start('Compare the proposals.')
    expect({ status: status === 'finished', reply }).toEqual({ status: false, reply: undefined })
    expect(server?.requests[0]?.body).toMatchObject({ background: true, store: true })
    expect((await runs.get(id)).status).toBe('running')
    const finished = await runs.wait(id, { pollIntervalMs: 1, request: 'Compare the proposals.' })
    expect(finished.text).toBe(ANSWER)
    expect(finished.finish?.reason).toBe('stop')
    await model.generate({
      messages: [user('Compare the proposals.'), finished.message, user('And the costs?')],
    })
    expect(JSON.stringify(server?.requests.at(-1)?.body)).toContain(`"${id}"`)
    expect(JSON.stringify(server?.requests.at(-1)?.body)).not.toContain('Compare the proposals.')
  })

  test('waiting asks again until the run has finished', async () => {
    const delays: number[] = []
    const sleep = async (ms: number): Promise<void> => void delays.push(ms)
    const runs = runsOf(await createModel(subject, { sleep }))
    const { id } = await runs.start('Hi')
    expect((await runs.wait(id)).text).toBe(ANSWER)
    expect(delays).toEqual([500])
  })

  test('a cancelled run has finished, without an answer', async () => {
    const runs = runsOf(await createModel(subject))
    const { id } = await runs.start('Hi')
    const { status, reply } = await runs.cancel(id)
    expect({ status, reason: reply?.finish?.reason }).toEqual({ status: 'finished', reason: 'aborted' })
    expect((await runs.wait(id)).text).toBe('')
  })

  test('a stream that is cut continues after the last event', async () => {
    const methods: (string | undefined)[] = []
    for (const kept of [1, 3, 5, 7]) {
      const fetch: typeof globalThis.fetch = async (input, init) => {
        methods.push(init?.method)
        const response = await globalThis.fetch(input, init)
        return init?.method === 'POST' ? cutAfterEvents(response, kept) : response
      }
      const runs = runsOf(await createModel(subject, { fetch }))
      const stream = runs.stream('Hi')
      const events = await collect(stream)
      expect(textIn(events)).toBe(ANSWER)
      expect(events.filter(({ type }) => type === 'part-start').length).toBe(1)
      expect((await stream.reply).text).toBe(ANSWER)
      await server?.close()
    }
    expect(methods).toEqual(['POST', 'GET', 'POST', 'GET', 'POST', 'GET', 'POST', 'GET'])
  })

  test('another process reads a stream from its beginning, or after an event', async () => {
    const runs = runsOf(await createModel(subject))
    const ids: string[] = []
    const stream = runs.stream('Hi', { onEventId: (id) => ids.push(id) })
    await collect(stream)
    const { response } = await stream.reply
    const id = response.id ?? ''
    expect(textIn(await collect(runs.resume(id)))).toBe(ANSWER)
    expect(ids.length).toBeGreaterThan(4)
    for (const after of [ids[0], ids[3], ids.at(-1)].filter((each) => each !== undefined)) {
      const rest = runs.resume(id, { after })
      expect(ANSWER.endsWith(textIn(await collect(rest)))).toBe(true)
      expect(textOf((await runs.resume(id, { after }).reply).message)).toBe(ANSWER)
    }
  })

  test('an unknown run, a request that is not stored, and an invalid id are refused', async () => {
    const runs = runsOf(await createModel(subject))
    await expect(runs.get('run_0')).rejects.toMatchObject({ code: 'provider-error', kind: 'not-found' })
    await expect(runs.get('../models')).rejects.toMatchObject({ code: 'invalid-value', path: '/id' })
    await expect(runs.start({ messages: 'Hi', store: false })).rejects.toMatchObject({ path: '/store' })
    const { id } = await runs.start('Hi')
    await expect(runs.wait(id, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
  })

  test('middleware changes the requests of runs', async () => {
    const model = wrapModel(await createModel(subject), {
      request: (request) => ({ ...request, messages: [user('Changed')] }),
    })
    await runsOf(model).start('Hi')
    await collect(runsOf(model).stream('Hi'))
    for (const { body } of server?.requests ?? []) expect(JSON.stringify(body)).toContain('Changed')
  })
})

describe('agents that Google only runs in the background', () => {
  const name = 'deep-research-preview-04-2026'
  const createAgent = async (sleep?: () => Promise<void>): Promise<Model> => {
    server = await startMockServer({ model: scripted([ANSWER, ANSWER]) })
    return gemini(name, { apiKey: 'k', baseUrl: server.url, ...(sleep && { sleep }) })
  }

  test('generate starts a run and waits for it', async () => {
    const reply = await (await createAgent(async () => {})).generate('Hi')
    expect(reply.text).toBe(ANSWER)
    expect(server?.requests.map(({ body }) => body)).toMatchObject([{ agent: name, background: true }])
  })

  test('stream streams a run', async () => {
    expect(textIn(await collect((await createAgent()).stream('Hi')))).toBe(ANSWER)
    expect(server?.requests.map(({ body }) => body)).toMatchObject([{ background: true, stream: true }])
  })

  test('aborting the call cancels the run', async () => {
    const controller = new AbortController()
    const model = await createAgent(async () => controller.abort())
    await expect(model.generate('Hi', { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
  })
})

test('providers that store nothing have no background runs', () => {
  expect(openaiResponses('gpt-x', { apiKey: 'k', state: 'encrypted' }).background).toBeUndefined()
  expect(gemini('gemini-3.8-flash', { apiKey: 'k' }).background).toBeUndefined()
})
