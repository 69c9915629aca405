// Our own client asks the strict double of each provider over loopback: it refuses what the provider would refuse.
import {
  type AssistantMessage,
  type ChatRequest,
  type DialectName,
  image,
  reasoning,
  text,
  toolCall,
  user,
} from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { model as findModel, type Model, scripted } from 'interlingua/providers'
import { type MockServer, type MockServerOptions, startMockServer } from 'interlingua/testing/providers'
import { afterEach, describe, expect, test } from 'vitest'
import { TARGETS } from '../gateway/client-requests.ts'
import * as questions from '../gateway/clients/questions.ts'

const { ANSWERS, FEATURES, PROMPTS, SCHEMA } = questions
const dialectNames = Object.keys(TARGETS) as DialectName[]

let server: MockServer | undefined

const start = async (options: MockServerOptions): Promise<void> => {
  server = await startMockServer(options)
}

afterEach(async () => {
  await server?.close()
  server = undefined
})

/** Creates a model of a provider whose requests go to the double; the host becomes a part of the path, as some need it. */
function createModel(dialect: DialectName): Model {
  const send: typeof fetch = (input, init) => {
    const { hostname, pathname, search } = new URL(new Request(input, init).url)
    return fetch(`${server?.url}/${hostname}${pathname}${search}`, init)
  }
  return findModel(TARGETS[dialect], {
    apiKey: 'not-a-secret',
    fetch: send,
    retry: { maxAttempts: 2 },
    sleep: () => Promise.resolve(),
    ...(dialect === 'bedrock' && { baseUrl: 'https://bedrock-runtime.example' }),
  })
}

const TOOL = { ...questions.TOOL, type: 'function', input: SCHEMA } as const

const createRequest = (feature: questions.Feature): ChatRequest => ({
  messages: [
    user(
      feature === 'image'
        ? [text(PROMPTS[feature]), image({ data: questions.IMAGE, mediaType: 'image/png' })]
        : PROMPTS[feature],
    ),
  ],
  ...(feature === 'tools' && { tools: [TOOL] }),
  ...(feature === 'reasoning' && { reasoning: { enabled: true, effort: 'high' } }),
  ...(feature === 'structured output' && { output: { type: 'json', schema: SCHEMA } }),
})

/** Returns what a message shows. */
function show({ content }: AssistantMessage): questions.ClientAnswer {
  const join = (type: string): string =>
    content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: content.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
    ),
  }
}

const getProblems = (): readonly unknown[] =>
  server?.requests.flatMap(({ dialect, problems }) => problems.map((each) => [dialect, each])) ?? []

describe.each(dialectNames)('our client asks the double of %s', (dialect) => {
  test.each(FEATURES)('for %s', async (feature) => {
    await start({ model: questions.createAnsweringModel() })
    const model = createModel(dialect)
    const expected = { reasoning: '', calls: [], ...ANSWERS[feature] }
    expect(show((await model.generate(createRequest(feature))).message)).toEqual(expected)
    const stream = model.stream(createRequest(feature))
    const texts: string[] = []
    for await (const event of stream) if (event.type === 'text-delta') texts.push(event.text)
    expect(show((await stream.reply).message)).toEqual(expected)
    expect(texts.join('')).toBe(expected.text)
    expect(server?.requests.map(({ isStreamed }) => isStreamed)).toEqual([false, true])
    expect(server?.requests.map(({ dialect: name }) => name)).toEqual([dialect, dialect])
    expect(getProblems()).toEqual([])
  })

  test('again after an error, and reports a refusal', async () => {
    await start({
      model: scripted(['Hello!']),
      faults: [{ type: 'error', status: 429 }, null, { type: 'error', status: 400 }],
    })
    const model = createModel(dialect)
    expect((await model.generate('Hi')).text).toBe('Hello!')
    await expect(model.generate('Hi')).rejects.toMatchObject({ kind: 'invalid-request', dialect })
    expect(server?.requests).toHaveLength(3)
  })

  test('in an agent, whose history the double of every other provider accepts', async () => {
    const answers = scripted(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? [reasoning('Rain it is.'), text('It rains.')]
        : [
            reasoning('The tool knows.'),
            text('Let me look.'),
            toolCall({ id: 'aB3dE5gH7', name: 'forecast', arguments: { city: 'Oslo', days: 3 } }),
          ],
    )
    await start({ model: answers })
    const run = tool({ ...questions.TOOL, input: SCHEMA, run: () => ({ sky: 'rain' }) })
    const agent = new Agent({ model: createModel(dialect), tools: [run], system: 'Be brief.' })
    const { messages } = await agent.send('The weather?')
    expect(messages).toHaveLength(4)
    for (const other of dialectNames) {
      const next = await agent
        .with({ model: createModel(other) })
        .send('And tomorrow?', { history: messages })
      expect(next.text).toBe('It rains.')
      expect(server?.requests.at(-1)?.dialect).toBe(other)
    }
    expect(server?.requests).toHaveLength(2 + 2 * dialectNames.length)
    expect(getProblems()).toEqual([])
  })
})
