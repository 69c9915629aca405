import type { AssistantMessage } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { demo, scripted } from 'interlingua/providers'
import { Conversation, type ConversationStorage, memoryStorage, tokenBudget } from 'interlingua/stores'
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
