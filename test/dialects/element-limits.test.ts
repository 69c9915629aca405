import { type ChatEvent, dialects, type InterlinguaError } from 'interlingua'
import { connectMcp, type McpClient } from 'interlingua/agent/mcp'
import { providers } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import type { ElementLimits } from '../../src/wire/stream-limits.ts'
import { waitTurns } from '../silent-sources.ts'
import { collect, framed, source, type StreamName } from './stream-responses.ts'

const repeat = <T>(count: number, create: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_each, index) => create(index))

type Row = readonly [
  dialect: StreamName,
  limit: keyof ElementLimits,
  path: string,
  body: (count: number) => object,
]

const call = (index: number): object => ({
  id: `c${index}`,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
})

/** Responses with as many elements as wanted. */
const responses: readonly Row[] = [
  ['openai-chat', 'maxCandidates', '/choices', (count) => ({ choices: repeat(count, () => ({})) })],
  [
    'openai-chat',
    'maxToolCalls',
    '/choices/0/message/tool_calls',
    (count) => ({ choices: [{ message: { role: 'assistant', tool_calls: repeat(count, call) } }] }),
  ],
  [
    'openai-chat',
    'maxCitations',
    '/choices/0/message/annotations',
    (count) => ({
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'x',
            annotations: repeat(count, () => ({ type: 'url_citation' })),
          },
        },
      ],
    }),
  ],
  [
    'openai-responses',
    'maxParts',
    '/output',
    (count) => ({ object: 'response', output: repeat(count, () => ({ type: 'reasoning', summary: [] })) }),
  ],
  [
    'anthropic',
    'maxParts',
    '/content',
    (count) => ({
      type: 'message',
      role: 'assistant',
      content: repeat(count, () => ({ type: 'text', text: 'x' })),
    }),
  ],
  ['gemini', 'maxCandidates', '/candidates', (count) => ({ candidates: repeat(count, () => ({})) })],
  [
    'gemini',
    'maxParts',
    '/candidates/0/content/parts',
    (count) => ({ candidates: [{ content: { parts: repeat(count, () => ({ text: 'x' })) } }] }),
  ],
  [
    'ollama',
    'maxToolCalls',
    '/message/tool_calls',
    (count) => ({
      message: {
        role: 'assistant',
        content: '',
        tool_calls: repeat(count, () => ({ function: { name: 'f', arguments: {} } })),
      },
    }),
  ],
]

function errorOf(act: () => unknown): InterlinguaError | undefined {
  try {
    act()
  } catch (error) {
    return error as InterlinguaError
  }
  return undefined
}

describe.each(responses)('%s: %s', (dialect, limit, path, body) => {
  test('is a limit of a response, and names itself', () => {
    const error = errorOf(() => dialects[dialect].decodeResponse(body(20_000)))
    expect(error).toMatchObject({ code: 'too-many-elements', path })
    expect(error?.found).toMatch(/^20000 /)
    expect(error?.hint).toContain(`limits.${limit}`)
  })

  test('can be set', () => {
    const decode = (count: number) => () =>
      dialects[dialect].decodeResponse(body(count), { limits: { [limit]: 3 } })
    expect(decode(3)).not.toThrow()
    expect(decode(4)).toThrow(/more than 3/)
  })
})

test('the tools of a request are limited, and lists in data are not', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
  const request = { model: 'm', messages: [], tools: repeat(20_000, () => tool) }
  expect(errorOf(() => dialects['openai-chat'].decodeRequest(request))).toMatchObject({
    code: 'too-many-elements',
    path: '/tools',
  })
  const input = { content: repeat(20_000, () => 'x'), tools: repeat(20_000, () => ({})) }
  const answer = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c', name: 'f', input }],
  }
  expect(() => dialects.anthropic.decodeResponse(answer)).not.toThrow()
})

const chunk = (choice: object): object => ({ object: 'chat.completion.chunk', choices: [choice] })
const opened = (index: number): object => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'text', text: '' },
})

/** Streams whose elements come one by one, in payloads that are small. */
const streams: readonly Row[] = [
  [
    'openai-chat',
    'maxToolCalls',
    '',
    (count) =>
      repeat(count, (index) => chunk({ index: 0, delta: { tool_calls: [{ index, ...call(index) }] } })),
  ],
  [
    'openai-chat',
    'maxCandidates',
    '',
    (count) => repeat(count, (index) => chunk({ index: index + 1, delta: { content: 'x' } })),
  ],
  [
    'anthropic',
    'maxParts',
    '',
    (count) => [
      { type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
      ...repeat(count, opened),
    ],
  ],
  ['gemini', 'maxEmptyEvents', '', (count) => repeat(count, () => ({ unknown: true }))],
  [
    'ollama',
    'maxToolCalls',
    '',
    (count) =>
      repeat(count, () => ({
        message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'f', arguments: {} } }] },
        done: false,
      })),
  ],
]

describe.each(streams)('a stream of %s: %s', (name, limit, _path, payloads) => {
  const read = (count: number): Promise<ChatEvent[]> => {
    const text = framed(name, payloads(count) as readonly object[])
    return collect(dialects[name].decodeStream(source(text), { limits: { [limit]: 5 } }))
  }

  test('ends with an error when there are too many', async () => {
    expect((await read(6)).at(-1)).toMatchObject({
      type: 'error',
      error: { code: 'too-many-elements', found: expect.stringMatching(/^6 /) as string },
    })
    expect((await read(5)).at(-1)).not.toMatchObject({ error: { code: 'too-many-elements' } })
  })
})

test('a model rejects a response with too many elements, and does not ask again', async () => {
  let calls = 0
  const fetch = async (): Promise<Response> => {
    calls++
    return Response.json({ choices: repeat(2_000, () => ({})) })
  }
  const model = providers['openai-chat'].with({ apiKey: 'k', fetch })('m')
  await expect(model.generate('Hi')).rejects.toMatchObject({
    kind: 'too-large',
    hint: expect.stringContaining('maxCandidates') as string,
  })
  expect(calls).toBe(1)
})

describe('the list of an MCP server', () => {
  const serve = (listTools: McpClient['listTools']): McpClient => ({
    listTools,
    callTool: async () => ({}),
    close: async () => {},
  })
  const tool = { name: 't', inputSchema: { type: 'object' } }

  test('ends, although each page has a new cursor', async () => {
    let page = 0
    const endless = serve(async () => ({ tools: [], nextCursor: `c${page++}` }))
    const server = await connectMcp({ client: endless })
    await expect(server.tools()).rejects.toMatchObject({
      code: 'too-many-elements',
      hint: expect.stringContaining('maxPages') as string,
    })
    expect(page).toBe(1_000)
  })

  test('has a limit of tools', async () => {
    const server = await connectMcp(
      { client: serve(async () => ({ tools: repeat(4, () => tool) })) },
      { limits: { maxTools: 3 } },
    )
    await expect(server.tools()).rejects.toMatchObject({ code: 'too-many-elements', found: '4 tools' })
  })

  test('is not awaited after an abort', async () => {
    const signals: unknown[] = []
    const silent = serve((_page, options) => {
      signals.push(options?.signal)
      return new Promise(() => {})
    })
    const server = await connectMcp({ client: silent })
    const controller = new AbortController()
    const list = server.tools(controller)
    const outcome = Promise.allSettled([list])
    await expect.poll(() => signals).toEqual([controller.signal])
    controller.abort()
    expect(await Promise.race([outcome, waitTurns(100)])).toMatchObject([{ reason: { code: 'aborted' } }])
  })
})

test('the citations of a part are counted over all events of a stream', async () => {
  const annotation = {
    type: 'url_citation',
    url: 'https://example.org',
    title: 'x',
    start_index: 0,
    end_index: 1,
  }
  const added = {
    type: 'response.output_text.annotation.added',
    output_index: 0,
    content_index: 0,
    annotation,
  }
  const item = { type: 'message', id: 'm', role: 'assistant', content: [] }
  const payloads = [
    { type: 'response.created', response: { id: 'r', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    {
      type: 'response.content_part.added',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: 'x' },
    },
    ...repeat(6, (index) => ({ ...added, annotation_index: index })),
  ]
  const read = (maxCitations: number): Promise<readonly ChatEvent[]> =>
    collect(
      dialects['openai-responses'].decodeStream(source(framed('openai-responses', payloads)), {
        limits: { maxCitations },
      }),
    )
  const codeOf = (events: readonly ChatEvent[]): unknown => {
    const last = events.at(-1)
    return last?.type === 'error'
      ? ((last.error.cause as InterlinguaError | undefined) ?? last.error).code
      : undefined
  }
  expect(codeOf(await read(5))).toBe('too-many-elements')
  expect(codeOf(await read(6))).not.toBe('too-many-elements')
})
