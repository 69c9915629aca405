import {
  assistant,
  dialects,
  type ProviderTool,
  textOf,
  toolCall,
  toolCallsOf,
  toolResult,
  toolResultsOf,
  validate,
} from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { lossCatalog } from '../../src/canonical/losses/loss-catalog.ts'
import { createLoss } from '../../src/canonical/losses/create-loss.ts'
import { toPath } from '../../src/wire/json-pointer.ts'
import { scripted } from '../../src/client/scripted-model.ts'
import type { DialectName } from '../../src/dialects/engine/dialect.ts'

const work = tool({ name: 'work', run: () => 'done' })

describe('tools that the provider runs', () => {
  const search: ProviderTool = { type: 'provider', provider: 'anthropic', name: 'web_search', options: {} }
  const searched = toolCall({ id: 'srv_1', name: 'web_search', executedBy: 'provider' })
  const found = toolResult(searched, 'a page')

  test('are passed through, and their calls are not run', async () => {
    const model = scripted([[searched, found, 'Found it.']])
    const { messages, text } = await new Agent({ model, tools: [work, search] }).send('Go')
    expect(model.calls[0]?.sentRequest.tools).toEqual([work.definition, search])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(text).toBe('Found it.')
  })

  test('can be mixed with application calls, each of which has its result', async () => {
    const model = scripted([[searched, found, toolCall({ id: 'call_1', name: 'work' })], 'Done.'])
    const { messages } = await new Agent({ model, tools: [work, search] }).send('Go')
    expect(validate(messages)).toEqual([])
    expect(messages[2]?.content).toMatchObject([{ callId: 'call_1' }])
  })

  test('that take long pause the turn, which then continues', async () => {
    const model = scripted([{ reply: [searched, found], finish: { reason: 'pause' } }, 'Found it.'])
    const { messages, finish } = await new Agent({ model, tools: [search] }).send('Go')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
    expect(finish.reason).toBe('stop')
  })
})

describe('a model', () => {
  test('that restarts the numbering of calls and messages in each response does not break the conversation', async () => {
    const same = (): ReturnType<typeof toolCall> => toolCall({ id: 'call_0', name: 'work' })
    const message = (text: string): ReturnType<typeof assistant> =>
      assistant(text === '' ? [same(), same()] : [text], { id: 'msg_1' })
    const agent = new Agent({ model: scripted([message(''), message(''), message('Done.')]), tools: [work] })
    const first = await agent.send('Go')
    expect(validate(first.messages)).toEqual([])
    expect(first.messages.flatMap((each) => toolCallsOf(each).map(({ id }) => id))).toEqual([
      'call_0',
      'call_0_2',
      'call_0_3',
      'call_0_4',
    ])
    const next = agent.with({ model: scripted([message(''), message('Again.')]) })
    const second = await next.send('Go', { history: first.messages })
    expect(validate([...first.messages, ...second.messages])).toEqual([])
  })

  test('that invents the result of an application call has it removed', async () => {
    const made = toolCall({ id: 'call_1', name: 'work' })
    const model = scripted([
      [made, toolResult(made, 'made up')],
      [toolResult(made, 'again'), 'Done.'],
    ])
    const { messages } = await new Agent({ model, tools: [work] }).send('Go')
    expect(validate(messages)).toEqual([])
    expect(messages[2] && textOf(messages[2])).toBe('done')
    expect(JSON.stringify(messages)).not.toMatch(/made up|again/)
  })

  test('that cannot call tools gets none, which is reported as a loss', async () => {
    const model = scripted(['Hi.'], { capabilities: { supportsTools: false } })
    const { losses } = await new Agent({ model, tools: [work] }).send('Go')
    expect(model.calls[0]?.sentRequest.tools).toBeUndefined()
    expect(losses).toEqual([
      createLoss(lossCatalog, 'agent-no-tools', toPath('/tools'), { dialect: 'scripted' }),
    ])
    const twice = scripted(['no JSON', '{}'], { capabilities: { supportsTools: false } })
    const typed = await new Agent({ model: twice, tools: [work] }).sendFor({ type: 'object' }, 'Go')
    expect([typed.steps.length, typed.losses.length]).toEqual([2, 1])
  })

  test('is called with the settings of the agent, overridden by those of the run', async () => {
    const model = scripted(['Hi.'])
    const agent = new Agent({ model, request: { temperature: 0, maxOutputTokens: 10 } })
    await agent.send('Go', { request: { temperature: 1, reasoning: { effort: 'low' } } })
    expect(model.calls[0]?.sentRequest).toMatchObject({
      temperature: 1,
      maxOutputTokens: 10,
      reasoning: { effort: 'low' },
    })
  })

  test.each([['required'], [{ name: 'work' }], [{ allowed: ['work'], mode: 'required' }]] as const)(
    'is forced to call a tool by %o in the first step only',
    async (toolChoice) => {
      const model = scripted([toolCall({ name: 'work' }), 'Done.'])
      await new Agent({ model, tools: [work], request: { toolChoice } }).send('Go')
      expect(model.calls.map(({ sentRequest }) => sentRequest.toolChoice)).toEqual([toolChoice, undefined])
    },
  )
})

test('a prompt may be several messages, of any role', async () => {
  const model = scripted(['Fine.'])
  const { messages } = await new Agent({ model }).send([assistant('Hello!'), 'How are you?'])
  expect(messages.map((message) => textOf(message))).toEqual(['Hello!', 'How are you?', 'Fine.'])
})

test.each(Object.keys(dialects) as DialectName[])(
  '%s: tools with invalid names are sent with valid ones',
  async (dialect) => {
    const names = ['read file', `${'x'.repeat(140)}a`, `${'x'.repeat(140)}b`]
    const tools = names.map((name) => tool({ name, run: () => name }))
    const calls = names.map((name, at) => toolCall({ id: `call_${at}`, name }))
    const model = scripted([calls, 'Done.'], { dialect })
    const { messages } = await new Agent({ model, tools }).send('Go')
    expect(
      toolResultsOf(messages[2] ?? expect.fail('no results')).map(({ content }) => textOf(content)),
    ).toEqual(names)
  },
)
