import { assistant, addUsage, type AssistantMessage, dialects, user } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { demo, openaiCompatible, scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, memoryStorage, tokenBudget } from 'interlingua/stores'
import { sqliteStorage } from 'interlingua/stores/sqlite'
import { describe, expect, test } from 'vitest'

const usage = { inputTokens: 20, outputTokens: 5, totalTokens: 25 }

async function begin(options: ConstructorParameters<typeof Agent>[0]): Promise<Conversation> {
  const storage = memoryStorage()
  const { id } = await storage.createSession({ id: 's' })
  return new Conversation({ agent: new Agent(options), storage, session: id })
}

const totals = (storage: ConversationStorage): ReturnType<ConversationStorage['usage']> =>
  storage.usage({ by: ['model'] })

describe('token usage of a conversation', () => {
  test.each(['send', 'stream'] as const)('is stored with each response (%s)', async (how) => {
    const look = tool({ name: 'weather', run: () => 'cold' })
    const conversation = await begin({ model: demo(), tools: [look] })
    const run = await conversation[how]('How is the weather?')
    const result = 'result' in run ? await run.result : run
    const answers = [...(await conversation.messages())].filter(
      (message): message is AssistantMessage => message.role === 'assistant',
    )
    expect(answers.map((answer) => answer.usage)).toEqual(result.steps.map((step) => step.usage))
    expect(await totals(conversation.options.storage)).toEqual([
      { model: 'demo', answers: 2, usage: result.usage },
    ])
  })

  test('is stored for a truncated response, too, if it was reported', async () => {
    const events = [
      { type: 'start' },
      { type: 'usage', usage },
      { type: 'part-start', index: 0, part: { type: 'text', text: '' } },
      { type: 'text-delta', index: 0, text: 'Once upon' },
    ] as const
    const stop = new AbortController()
    const model = scripted(() => ({ reply: { events: truncated() } }))
    async function* truncated(): AsyncGenerator<(typeof events)[number]> {
      yield* events
      stop.abort()
      await new Promise(() => {})
    }
    const conversation = await begin({ model })
    const stream = await conversation.stream('Tell', { signal: stop.signal })
    expect((await stream.result).finish.reason).toBe('aborted')
    expect(await totals(conversation.options.storage)).toMatchObject([{ answers: 1, usage }])
  })

  const response = {
    id: 'resp_1',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: ['One', 'Two'].map((content, index) => ({
      index,
      message: { role: 'assistant', content },
      finish_reason: 'stop',
    })),
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  }
  const decoded = (): readonly AssistantMessage[] =>
    dialects['openai-chat'].decodeResponse(response).value.candidates

  test('[C16] is counted for messages of a model and of a decoded response, without an agent', async () => {
    const storage = memoryStorage()
    await storage.createSession({ id: 's' })
    const fetch = async (): Promise<Response> => Response.json({ ...response, id: 'resp_2' })
    const host = openaiCompatible({ baseUrl: 'http://127.0.0.1:1/v1', fetch })
    const reply = await host('m').generate({ messages: [user('Hi')] })
    await storage.append('s', ['Hi', reply.message, 'And?', ...decoded().slice(0, 1)])
    expect(await storage.usage({ by: [] })).toEqual([{ answers: 2, usage: addUsage(usage, usage) }])
  })

  test.each([
    ['as branches', appendBranches],
    ['one after the other', (storage: ConversationStorage) => storage.append('s', ['Hi', ...decoded()])],
  ])('is counted once for all candidates of a response that are stored %s', async (_how, store) => {
    for (const storage of [memoryStorage(), await sqliteStorage(':memory:')]) {
      await storage.createSession({ id: 's' })
      await store(storage, decoded())
      expect(await storage.usage({ by: [] })).toEqual([{ answers: 1, usage }])
      expect(await storage.verify()).toEqual([])
      await storage.importSession(storage.exportSession('s'), { id: 'copy' })
      expect(await storage.usage({ by: [], session: 'copy' })).toEqual([{ answers: 1, usage }])
      await storage.close()
    }
  })

  async function appendBranches(
    storage: ConversationStorage,
    candidates: readonly AssistantMessage[],
  ): Promise<void> {
    const { head } = await storage.append('s', 'Hi')
    for (const candidate of candidates) {
      await storage.setHead('s', head)
      await storage.append('s', candidate)
    }
  }

  test('is counted for each of several responses with equal counts', async () => {
    const storage = memoryStorage()
    await storage.createSession({ id: 's' })
    const answers = ['resp_1', 'resp_2'].map((id) => {
      const [first] = dialects['openai-chat'].decodeResponse({ ...response, id }).value.candidates
      return first as AssistantMessage
    })
    await appendBranches(storage, answers)
    expect(await storage.usage({ by: [] })).toEqual([{ answers: 2, usage: addUsage(usage, usage) }])
  })

  test('is summed in SQLite beyond the largest integer of the database', async () => {
    const storage = await sqliteStorage(':memory:')
    await storage.createSession({ id: 's' })
    const huge = { inputTokens: 2 ** 53, outputTokens: 1, totalTokens: 1e300 }
    // 1024 of them exceed 2 ** 63.
    await storage.append(
      's',
      Array.from({ length: 1100 }, () => assistant('Hi', { usage: huge })),
    )
    const { MAX_SAFE_INTEGER: largest } = Number
    expect(await storage.usage({ by: [] })).toEqual([
      { answers: 1100, usage: { inputTokens: largest, outputTokens: 1100, totalTokens: largest } },
    ])
    await storage.close()
  })

  test('is used by a token budget', async () => {
    const model = scripted(() => 'Yes', { usage })
    const { options } = await begin({ model })
    const cut: number[] = []
    const conversation = new Conversation({
      ...options,
      context: tokenBudget({ tokens: 10, estimate: () => 3 }),
      onContext: (report) => void cut.push(report.trimmed.flatMap(({ messages }) => messages).length),
    })
    await conversation.send('One')
    // With an estimate of 3 each, all three would fit; the response alone took 5 of the 10.
    await conversation.send('Two')
    expect(cut).toEqual([2])
  })
})
