import { type Message, textOf, toolCall, toolResultsOf } from 'interlingua'
import { Agent, type AgentTool } from 'interlingua/agent'
import { inProcessMemory, memoryTools, type MemoryStore, type MemoryToolsOptions } from 'interlingua/memory'
import { scripted } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'

const tenant = 'ada'

interface Call {
  readonly name: string
  readonly arguments: { readonly [name: string]: string | number }
}

/** Runs calls one after the other, and returns the text of each result, or the error in brackets. */
async function runCalls(tools: readonly AgentTool[], calls: readonly Call[]): Promise<readonly string[]> {
  const messages: Message[] = []
  let round = 0
  const model = scripted((request) => {
    messages.splice(0, messages.length, ...request.messages)
    const call = calls[round++]
    return call === undefined ? 'Done.' : toolCall(call)
  })
  await new Agent({ model, tools }).send('Go')
  const results = messages.flatMap((message) => toolResultsOf(message))
  return results.map(({ content, isError }) => (isError ? `[${textOf(content)}]` : writeContent(content)))
}

const writeContent = (content: readonly { readonly type: string }[]): string =>
  content
    .map((part) => ('text' in part ? part.text : JSON.stringify('value' in part ? part.value : part)))
    .join('\n')

const remember = (text: string, rest: object = {}): Call => ({
  name: 'remember',
  arguments: { text, ...rest },
})
const recall = (query: string, rest: object = {}): Call => ({ name: 'recall', arguments: { query, ...rest } })

const open = (
  options: Partial<MemoryToolsOptions> = {},
): { memory: MemoryStore; tools: readonly AgentTool[] } => {
  const memory = inProcessMemory()
  return { memory, tools: memoryTools(memory, { tenant, ...options }) }
}

describe('remember and recall', () => {
  test('store, replace and find facts of the tenant that the application chose', async () => {
    const { memory, tools } = open({ metadata: { source: 'model' } })
    const results = await runCalls(tools, [
      remember('Ada prefers tea', { key: 'drink' }),
      remember('Ada prefers tea', { key: 'drink' }),
      remember('Ada prefers mate', { key: 'drink' }),
      recall('What does Ada drink?'),
      recall('Something else entirely'),
    ])
    expect(results.slice(0, 3).map((result) => JSON.parse(result) as unknown)).toEqual(
      ['created', 'unchanged', 'updated'].map((status) => ({ status, key: 'drink' })),
    )
    expect(results[3]).toContain('"text":"Ada prefers mate"')
    expect(results[4]).toBe('No memory matches.')
    const { memories } = await memory.list({ tenant })
    expect(memories.map(({ text, metadata }) => [text, metadata])).toEqual([
      ['Ada prefers mate', { source: 'model' }],
    ])
  })

  test('report limits as errors that the model understands', async () => {
    const { memory, tools } = open({ maxTextLength: 20, maxRecalled: 2, maxRemembered: 2 })
    const results = await runCalls(tools, [
      remember('x'.repeat(21)),
      remember(''),
      remember('One fact', { tenant: 'other' }),
      remember('One fact'),
      remember('Two facts'),
      remember('Three facts'),
      recall('fact', { limit: 3 }),
    ])
    expect(results.map((result) => result.startsWith('['))).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      true,
    ])
    expect(results[0]).toContain('text')
    expect(await memory.list({ tenant: 'other' })).toEqual({ memories: [] })
  })

  test('never exceed the tokens of a result, and report what does not fit', async () => {
    const { memory, tools } = open({ maxTokens: 150 })
    const memories = ['a', 'b', 'c', 'd'].map((key) => ({ key, text: `tea ${key} `.repeat(15) }))
    await memory.putAll({ tenant, memories })
    const [result = ''] = await runCalls(tools, [recall('tea')])
    expect(result).toMatch(/further memories match and are too long/)
    expect(result.split('\n</memories>')[0]?.length).toBeLessThan(600)
  })

  test('apply the filter, expiry, names and approval of the application', async () => {
    const names = { remember: 'remember_team', recall: 'recall_team' }
    const { memory, tools } = open({
      names,
      filter: { topic: 'team' },
      expiresAfterMs: 60_000,
      needsApproval: true,
    })
    await memory.put({ tenant, text: 'The team eats at noon', metadata: { topic: 'team' } })
    await memory.put({ tenant, text: 'Ada eats at one', metadata: { topic: 'ada' } })
    const [result = ''] = await runCalls(tools, [{ name: 'recall_team', arguments: { query: 'eats' } }])
    expect([result.includes('noon'), result.includes('Ada eats')]).toEqual([true, false])
    const model = scripted([
      toolCall({ name: 'remember_team', arguments: { text: 'Lunch is at noon' } }),
      'Done.',
    ])
    const agent = new Agent({ model, tools })
    const paused = await agent.send('Remember it', { approve: () => 'approve' })
    expect(paused.text).toBe('Done.')
    const { memories } = await memory.list({ tenant })
    expect(memories.at(-1)?.expiresAt).toBeDefined()
    const waiting = await new Agent({
      model: scripted([toolCall({ name: 'remember_team', arguments: { text: 'Another' } })]),
      tools,
    }).send('Remember it')
    expect(waiting.paused?.pending).toHaveLength(1)
  })

  test('refuse wrong options', () => {
    const wrong = [
      { tenant: '' },
      { maxTokens: 0 },
      { maxRecall: 1 },
      { metadata: { a: {} } },
      { expiresAfterMs: -1 },
    ]
    for (const options of wrong)
      expect(() => open(options as never)).toThrow(/tenant|max|metadata|expiresAfterMs/)
  })
})
