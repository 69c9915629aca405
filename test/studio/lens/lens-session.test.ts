import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type DialectName, dialects } from 'interlingua'
import { LensSession } from '../../../src/studio/page/lens/lens-session.ts'
import type { LensAnalysis } from '../../../src/studio/page/lens/lens-analysis.ts'
import { lensTargets } from '../../../src/studio/page/lens/lens-targets.ts'
import { providerTable } from '../../../src/providers/provider-table.ts'
import { rows } from '../../dialects/dialect-rows.ts'
import { samples } from '../../formats/transcripts/sample-files.ts'

const names = Object.keys(dialects) as DialectName[]

function analyze(input: unknown, from?: string): Promise<LensAnalysis> {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return new LensSession().analyze({ input: text, models: {}, ...(from !== undefined && { from }) })
}

/** A request with content that every other format writes differently. */
const request = {
  model: 'gpt-5.4',
  seed: 7,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather in Oslo?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
  ],
}

describe.each(names)('bodies of %s', (name) => {
  const { requests, responses } = rows[name]
  const [, body] = Object.entries(requests.requests).at(-1) ?? []
  const [, answer] = Object.entries(responses.responses).at(-1) ?? []

  test('are shown in every dialect; their own has no loss and no difference', async () => {
    for (const [kind, each] of [
      ['request', body],
      ['response', answer],
    ] as const) {
      const analysis = await analyze(each, name)
      expect(analysis.error).toBeUndefined()
      expect(analysis.kind).toBe(kind)
      expect(analysis.detections[0]?.name).toBe(name)
      expect(analysis.panes.map((pane) => pane.name)).toEqual(names)
      expect(analysis.panes.filter((pane) => pane.error !== undefined)).toEqual([])
      const own = analysis.panes.find((pane) => pane.name === name)
      expect(own?.losses).toEqual([])
      expect(own?.lines.filter(({ difference }) => difference !== undefined)).toEqual([])
      for (const { lossLines, lineCount } of analysis.panes)
        expect(lossLines.every((line) => line >= 0 && line < lineCount)).toBe(true)
    }
  })

  test('have a target with the address and the key of the provider', () => {
    const row = providerTable[name]
    // The address of Bedrock contains a region.
    expect(lensTargets[name].baseUrl).toBe(row.baseUrl?.replace('{AWS_REGION}', 'us-east-1'))
    expect(row.keyVariables).toContain(lensTargets[name].keyVariable)
    expect(lensTargets[name].keyHeader).toContain(`$${lensTargets[name].keyVariable}`)
  })
})

test('a loss is shown in the body of the target, and at its path in the canonical form', async () => {
  const { panes, canonical } = await analyze(request)
  const anthropic = panes.find(({ name }) => name === 'anthropic')
  const seed = anthropic?.losses.findIndex(({ path }) => path === '/seed') ?? -1
  expect(anthropic?.lines.some(({ losses }) => losses?.includes(seed))).toBe(true)
  const line = canonical?.lines.find(({ pointer }) => pointer === '/seed')
  expect(line?.losses?.map((index) => canonical?.losses[index]?.dialect)).toContain('anthropic')
})

test('a change of a part is shown at the place of the part in the target', async () => {
  const { panes } = await analyze({
    model: 'gpt-5.4',
    messages: [
      { role: 'user', content: 'First question' },
      { role: 'assistant', content: 'First answer' },
      { role: 'user', name: 'ada', content: 'Second question' },
    ],
  })
  const gemini = panes.find(({ name }) => name === 'gemini')
  const index = gemini?.losses.findIndex(({ path }) => path.startsWith('/messages/2/name')) ?? -1
  expect(index).toBeGreaterThanOrEqual(0)
  expect(gemini?.lines[gemini.lossLines[index] ?? 0]?.pointer).toMatch(/^\/contents\/2/)
})

test('values of the input are the same, renamed or added in another format', async () => {
  const { panes } = await analyze(request)
  const lines = panes.find(({ name }) => name === 'anthropic')?.lines ?? []
  const find = (pointer: string) => lines.find((line) => line.pointer === pointer)
  expect(find('/messages/0/content')?.difference).toBeUndefined()
  expect(find('/messages/1/content/0/input/city')?.difference).toBeUndefined()
  expect(find('/system')?.difference ?? find('/system/0/text')?.difference).toBe('renamed')
  expect(find('/max_tokens')?.difference).toBe('added')
})

test('the model of a target can be chosen', async () => {
  const session = new LensSession()
  const input = JSON.stringify(request)
  const { panes } = await session.analyze({ input, models: { anthropic: 'claude-opus-5' } })
  expect(panes.find(({ name }) => name === 'anthropic')?.model).toBe('claude-opus-5')
  expect(session.copy('anthropic', 'body')).toContain('"claude-opus-5"')
})

describe('a conversation with problems', () => {
  const broken = { model: 'gpt-5.4', messages: request.messages.slice(0, 3) }

  test('is repaired in its own format', async () => {
    const session = new LensSession()
    const before = await session.analyze({ input: JSON.stringify(broken), models: {} })
    expect(before.problems.map(({ rule, path }) => [rule, path])).toContainEqual([
      'orphan-call',
      '/messages/2/content/0',
    ])
    const { text, repairs } = session.repair()
    expect(repairs.length).toBeGreaterThan(0)
    const after = await session.analyze({ input: text, models: {} })
    expect(after.detections[0]?.name).toBe('openai-chat')
    expect(after.problems).toEqual([])
  })

  test.each(names)('a body that %s refuses is written anew, and is accepted', async (name) => {
    const session = new LensSession()
    for (const body of Object.values(rows[name].requests.requests).slice(0, 3)) {
      await session.analyze({ input: JSON.stringify(body), from: name, models: {} })
      const { text, repairs } = session.repair()
      if (!isDeepStrictEqual(JSON.parse(text), body)) expect(repairs).not.toEqual([])
      const after = await session.analyze({ input: text, from: name, models: {} })
      expect(after.error).toBeUndefined()
      expect(after.problems.filter(({ severity }) => severity === 'error')).toEqual([])
    }
  })
})

describe('other inputs', () => {
  test.each(Object.entries(samples))('session file: %s', async (_title, [format, files]) => {
    const input = typeof files === 'string' ? files : { files }
    const analysis = await new LensSession().analyze({ input, models: {} })
    expect(analysis.error).toBeUndefined()
    expect(analysis.detections[0]?.name).toBe(format)
    expect(analysis.choices.length).toBeGreaterThan(0)
    expect(analysis.messageCount).toBeGreaterThan(0)
  })

  test('a line of a log, JSON text inside of JSON, and a list of messages', async () => {
    const log = `2026-01-02 [info] request ${JSON.stringify(request)} took 12 ms`
    const record = { level: 'info', http: { body: JSON.stringify(request) } }
    for (const input of [log, record, `${log}\n${log}`]) {
      const analysis = await analyze(input)
      expect(analysis.detections[0]?.name).toBe('openai-chat')
      expect(analysis.messageCount).toBe(4)
    }
    expect((await analyze(`${log}\n${log}`)).choices).toHaveLength(2)
    expect((await analyze(request.messages)).messageCount).toBe(4)
    expect((await analyze(request.messages.slice(0, 2))).messageCount).toBe(2)
  })

  test('messages on lines are one conversation, and conversations beyond the limit are reported', async () => {
    const lines = request.messages.slice(0, 2).map((message) => JSON.stringify(message))
    expect((await analyze(`${lines.join('\n\n')}\n`)).messageCount).toBe(2)
    const log = Array.from({ length: 501 }, () => `request: ${JSON.stringify(request)}`).join('\n')
    const many = await analyze(log)
    expect(many.choices).toHaveLength(500)
    expect(many.issues).toEqual(['Only the first 500 of 501 conversations are listed.'])
  })

  test('a body of a log that cannot be read does not hide the others', async () => {
    const broken = { ...request, messages: [{ role: 'user', content: 7 }] }
    const input = [broken, request].map((body) => `request: ${JSON.stringify(body)}`).join('\n')
    const [first, second] = [0, 1].map((choice) => new LensSession().analyze({ input, choice, models: {} }))
    expect((await first)?.choices).toHaveLength(2)
    expect((await second)?.messageCount).toBe(4)
  })

  test('what is no conversation is an error with a hint, never an exception', async () => {
    for (const input of [
      'Hello!',
      '{"a":1}',
      '[]',
      '<html>',
      '42',
      'data: {"a":1}\n\n',
      '{"log":{"entries":[]}}',
    ]) {
      const { error } = await analyze(input)
      expect(error?.message).toMatch(/\.$/)
      expect(error?.hint).toBeTruthy()
    }
    expect((await analyze('  ')).error).toBeUndefined()
  })

  test('text that is almost JSON is repaired', async () => {
    const session = new LensSession()
    const input = JSON.stringify(request).slice(0, -30)
    const { error, syntaxFixes } = await session.analyze({ input, models: {} })
    expect(error?.code).toBe('not-json')
    expect(syntaxFixes).toEqual(['the missing end was added'])
    const { text } = session.repair()
    expect((await session.analyze({ input: text, models: {} })).messageCount).toBeGreaterThan(2)
  })
})

test('long bodies are sent in pieces', async () => {
  const session = new LensSession()
  const messages = Array.from({ length: 500 }, (_, index) => ({
    role: 'user',
    content: `Question ${index}`,
  }))
  const { panes } = await session.analyze({
    input: JSON.stringify({ model: 'gpt-5.4', messages }),
    models: {},
  })
  const own = panes[0]
  expect(own?.lineCount).toBeGreaterThan(2000)
  expect(own?.lines.length).toBeLessThan(1000)
  expect(session.readLines('openai-chat', 1900, 5)).toHaveLength(5)
})
