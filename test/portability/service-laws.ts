import { type ChatResponse, type DialectName, dialects, textOf, toEvents, toolCall, user } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { createGateway } from 'interlingua/gateway'
import { createUIChatHandler } from 'interlingua/handlers'
import { scripted } from 'interlingua/providers'
import { memoryStorage, memoryStreamLog } from 'interlingua/stores'
import { TARGETS, toHttpRequest } from '../gateway/client-requests.ts'
import { collect, expectTrue, fixedIdentity, type PortableLaw } from './portable-law.ts'

const NAMES = Object.keys(TARGETS) as DialectName[]

const answer: ChatResponse = {
  id: 'r_1',
  model: 'm',
  createdAt: '2026-01-01T00:00:00.000Z',
  candidates: [
    {
      id: 'm_1',
      role: 'assistant',
      content: [{ type: 'text', text: 'Blåbærsyltetøy 🫐' }],
      finish: { reason: 'stop' },
    },
  ],
  usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 },
}

/** Answers as the provider of a dialect does. */
function answerAs(dialect: DialectName, stream: boolean): Response {
  const codec = dialects[dialect]
  if (!stream) return Response.json(codec.encodeResponse(answer, fixedIdentity()).value)
  const events = codec.encodeStream(toEvents(answer), fixedIdentity())[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await events.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
  const type = { bedrock: 'application/vnd.amazon.eventstream', ollama: 'application/x-ndjson' }[
    dialect as string
  ]
  return new Response(body, { headers: { 'content-type': type ?? 'text/event-stream' } })
}

/** Sends a request of one dialect through a gateway to a provider of another; returns what was answered. */
async function passGateway(client: DialectName, upstream: DialectName, stream: boolean): Promise<unknown> {
  const [provider = ''] = TARGETS[upstream].split(':')
  const bodies: unknown[] = []
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    bodies.push(await new Request(input, init).json())
    return answerAs(upstream, stream)
  }
  const gateway = createGateway({
    routes: [{ model: '*', to: TARGETS[upstream] }],
    providers: { [provider]: { apiKey: 'test', baseUrl: 'https://provider.example', fetch } },
  })
  const request = { model: 'any', messages: [user('Hi', { id: 'm_0' })], maxOutputTokens: 100, stream }
  const response = await gateway(toHttpRequest(client, request))
  const text = stream
    ? await readStreamText(client, response)
    : textOf(dialects[client].decodeResponse(await response.json()).value.candidates[0] ?? user(''))
  expectTrue(response.status === 200, `status ${response.status}: ${JSON.stringify(text)}`)
  expectTrue(JSON.stringify(text).includes('Blåbærsyltetøy 🫐'), JSON.stringify(text))
  return [bodies, text]
}

async function readStreamText(dialect: DialectName, { body }: Response): Promise<string> {
  if (body === null) throw new Error('The response has no body')
  const events = await collect(dialects[dialect].decodeStream(body, fixedIdentity()))
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
}

const gatewayLaws = NAMES.flatMap((client) =>
  NAMES.flatMap((upstream) =>
    [false, true].map((stream) => ({
      name: `the gateway answers ${client} from ${upstream}${stream ? ', streamed' : ''}`,
      run: () => passGateway(client, upstream, stream),
    })),
  ),
)

const createAgent = (): Agent =>
  new Agent({
    model: scripted([
      toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }),
      'It is 4 °C.',
    ]),
    tools: [tool({ name: 'weather', run: () => ({ celsius: 4 }) })],
  })

/** The gateway between all dialects, agents, and handlers for pages. */
export const serviceLaws: readonly PortableLaw[] = [
  ...gatewayLaws,
  {
    name: 'an agent runs its tools and streams what it does',
    run: async () => {
      const chunks = await collect(createAgent().stream('How warm is it in Oslo?'))
      const { text, steps } = await createAgent().send('How warm is it in Oslo?')
      return [chunks.map((chunk) => Object.keys(chunk)), text, steps.length]
    },
  },
  {
    name: 'an agent returns typed output, after it corrected an invalid one',
    run: async () => {
      const model = scripted(['{"celsius":"4"}', '{"celsius":4}'])
      const schema = {
        type: 'object',
        properties: { celsius: { type: 'number' } },
        required: ['celsius'],
      } as const
      const { output, steps } = await new Agent({ model }).sendFor(schema, 'Oslo?')
      return [output, steps.length]
    },
  },
  {
    name: 'a handler answers useChat',
    run: async () => {
      const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'How warm is it in Oslo?' }] }
      const body = JSON.stringify({ id: 'chat', trigger: 'submit-message', messages: [message] })
      const headers = { 'content-type': 'application/json' }
      const handler = createUIChatHandler({
        agent: createAgent(),
        storage: memoryStorage(),
        streams: memoryStreamLog(),
      })
      const response = await handler(new Request('https://app.example/', { method: 'POST', headers, body }))
      const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'))
      const types = lines.map((line) => (JSON.parse(line.slice(6)) as { type: string }).type)
      // How much text a chunk has depends on time.
      return [response.status, types.filter((type, at) => type !== types[at - 1])]
    },
  },
]
