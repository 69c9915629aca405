import fc from 'fast-check'
import { type AssistantMessage, toolCallsOf, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'
import { anyMessage, RUNS } from '../arbitraries.ts'

const answers = fc.array(
  anyMessage.filter((each): each is AssistantMessage => each.role === 'assistant'),
  { minLength: 1, maxLength: 4 },
)

/** Returns an agent whose model returns these responses, with all the tools that it calls. */
function createAgent(responses: readonly AssistantMessage[]): Agent {
  const names = new Set(responses.flatMap((each) => toolCallsOf(each).map(({ name }) => name)))
  const tools = [...names].map((name) => tool({ name, run: () => 'done' }))
  let asked = 0
  return new Agent({ model: scripted(() => responses[asked++] ?? 'Done.'), tools })
}

test('whatever a model returns, the messages validate', async () => {
  const law = fc.asyncProperty(answers, fc.boolean(), async (responses, streamed) => {
    const agent = createAgent(responses)
    const { messages } = await (streamed ? agent.stream('Go').result : agent.send('Go'))
    expect(validate(messages)).toEqual([])
  })
  await fc.assert(law, { numRuns: Math.ceil(RUNS / 10) })
})

test('whatever a model returns, and wherever it is interrupted, the messages validate', async () => {
  const law = fc.asyncProperty(answers, fc.nat({ max: 20 }), async (responses, at) => {
    const controller = new AbortController()
    const stream = createAgent(responses).stream('Go', { signal: controller.signal })
    let chunks = 0
    for await (const _ of stream) if (chunks++ === at) controller.abort()
    expect(validate((await stream.result).messages)).toEqual([])
  })
  await fc.assert(law, { numRuns: Math.ceil(RUNS / 10) })
})
