import { type ChatRequest, type DialectName, dialects, type Flavor, user } from 'interlingua'
import { openaiCompatible } from 'interlingua/providers'
import { findRequestProblems, mockProvider } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'
import { flavors as anthropicFlavors } from '../../src/dialects/anthropic/flavors.ts'
import { flavors as chatFlavors } from '../../src/dialects/openai-chat/flavors.ts'
import { flavors as responsesFlavors } from '../../src/dialects/openai-responses/flavors.ts'
import { anyRequest } from '../arbitraries.ts'
import { everything } from '../dialects/openai-chat/flavor-requests.ts'
import { law } from '../law-assertions.ts'

const hosts = (
  [
    ['openai-chat', chatFlavors],
    ['openai-responses', responsesFlavors],
    ['anthropic', anthropicFlavors],
  ] as const
).flatMap(([dialect, flavors]) => Object.keys(flavors).map((flavor) => [dialect, flavor as Flavor] as const))

function findProblems(dialect: DialectName, request: ChatRequest, flavor: Flavor): readonly string[] {
  const { value } = dialects[dialect].encodeRequest(request, { flavor })
  return findRequestProblems(dialect, value, { flavor }).map(({ path, message }) => `${path}: ${message}`)
}

describe('a host accepts what is encoded for it', () => {
  test.each(hosts)('%s on %s', (dialect, flavor) => {
    expect(findProblems(dialect, everything, flavor)).toEqual([])
    law(
      anyRequest,
      ({ extra: _extra, ...request }) => expect(findProblems(dialect, request, flavor)).toEqual([]),
      process.env['SOAK'] ? 100 : 8,
    )
  })
})

test.each([
  [
    'openai-chat',
    'sambanova',
    { seed: 1, messages: [{ role: 'user', content: 'Hi', name: 'ann' }] },
    ['/seed', '/messages/0/name'],
  ],
  [
    'openai-chat',
    'moonshot',
    { temperature: 2, messages: [{ role: 'assistant', tool_calls: [] }] },
    ['/temperature', '/messages/0'],
  ],
  [
    'openai-chat',
    'deepinfra',
    { max_completion_tokens: 9, tool_choice: 'required' },
    ['/max_completion_tokens', '/tool_choice'],
  ],
  ['openai-chat', 'huggingface', { n: 2, tool_choice: { type: 'allowed_tools' } }, ['/n', '/tool_choice']],
  ['openai-chat', 'openai', { top_k: 4 }, ['/top_k']],
  ['openai-chat', 'groq', { model: 'qwen/qwen3-32b', reasoning_effort: 'high' }, ['/reasoning_effort']],
  [
    'anthropic',
    'deepseek',
    { top_k: 4, temperature: 1.5, output_config: { format: {} } },
    ['/top_k', '/output_config/format'],
  ],
  ['anthropic', 'ollama', { tool_choice: { type: 'any' } }, ['/tool_choice']],
  [
    'openai-responses',
    'open-responses',
    { user: 'u', reasoning: { effort: 'max' }, tools: [{ type: 'web_search' }, { type: 'acme:search' }] },
    ['/user', '/reasoning/effort', '/tools/0/type'],
  ],
] as const)('%s on %s refuses %j', (dialect, flavor, body, paths) => {
  const problems = findRequestProblems(dialect, { model: 'm', ...body }, { flavor })
  expect(problems.map(({ path }) => path)).toEqual(paths)
  expect(new Set(problems.map(({ rule }) => rule))).toEqual(new Set(['host']))
})

describe('a strict double of a host', () => {
  const createFetch = (flavor: Flavor): typeof fetch => {
    const mock = mockProvider({ flavor })
    return (input, init) => mock.fetch(new Request(input, init))
  }

  test('refuses what the host does not support, and accepts what is encoded for it', async () => {
    const fetch = createFetch('sambanova')
    const options = { baseUrl: 'https://mock.test/v1', apiKey: 'key', fetch, retry: { maxAttempts: 1 } }
    const request = { messages: [user('Hi')], seed: 7 }
    await expect(openaiCompatible(options)('m').generate(request)).rejects.toMatchObject({
      kind: 'invalid-request',
    })
    const { text } = await openaiCompatible({ ...options, flavor: 'sambanova' })('m').generate(request)
    expect(text).not.toBe('')
  })

  test('answers in the form of Open Responses', async () => {
    const fetch = createFetch('open-responses')
    const send = async (stream: boolean): Promise<string> => {
      const body = JSON.stringify({ model: 'm', input: 'Hi', stream, presence_penalty: 0.5 })
      const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
      return (await fetch('https://mock.test/v1/responses', { method: 'POST', body, headers })).text()
    }
    expect(JSON.parse(await send(false))).toMatchObject({
      presence_penalty: 0.5,
      background: false,
      store: false,
    })
    expect(await send(true)).toMatch(/data: \[DONE\]\n\n$/)
  })
})
