// The real library is installed with `npm ci` in tools/openai-agents; without it, its recorded items are read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, textOf, toolCallsOf } from 'interlingua'
import { openaiAgents } from 'interlingua/formats/openai-agents'
import { describe, expect, test } from 'vitest'
import { anyMessages, RUNS } from '../../arbitraries.ts'
import { again, expectSame, law } from '../../law-assertions.ts'
import { anyAgentItems } from './openai-agents-arbitrary.ts'

const SHARE = RUNS / 10

/** The part of the library that the tests use. */
interface AgentsProtocol {
  readonly ModelItem: { parse(item: unknown): unknown }
}

const installed = join(
  import.meta.dirname,
  '../../../tools/openai-agents/node_modules/@openai/agents-core/dist/types/protocol.mjs',
)
const library = existsSync(installed) ? ((await import(installed)) as AgentsProtocol) : undefined

describe.skipIf(library === undefined)('the OpenAI Agents SDK', () => {
  const check = (item: unknown): unknown => (library as AgentsProtocol).ModelItem.parse(again(item))

  test('accepts the items that are written', () => {
    law(anyMessages, (given) => openaiAgents.toMessages(given).value.forEach(check), SHARE)
  })

  test('accepts the generated items, so that the laws hold for real ones', () => {
    law(anyAgentItems, (wire) => wire.forEach(check), SHARE)
  })
})

/** The history of a run with a hosted tool, a function and encrypted reasoning. */
const history: readonly JsonObject[] = [
  { type: 'message', role: 'user', content: 'How warm is it in Oslo?' },
  {
    type: 'reasoning',
    id: 'rs_1',
    content: [{ type: 'input_text', text: 'Look it up.', providerData: { type: 'summary_text' } }],
    providerData: { id: 'rs_1', type: 'reasoning', encrypted_content: 'xyz' },
  },
  {
    type: 'hosted_tool_call',
    id: 'ws_1',
    name: 'web_search_call',
    status: 'completed',
    providerData: { id: 'ws_1', type: 'web_search_call', action: { type: 'search', query: 'Oslo' } },
  },
  {
    type: 'function_call',
    id: 'fc_1',
    callId: 'call_1',
    name: 'weather',
    status: 'completed',
    arguments: '{"city":"Oslo"}',
    providerData: { id: 'fc_1', type: 'function_call' },
  },
  {
    type: 'function_call_result',
    name: 'weather',
    callId: 'call_1',
    status: 'completed',
    output: { type: 'text', text: '4 degrees' },
  },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'It is 4 degrees.', providerData: { annotations: [] } }],
    providerData: {},
  },
]

test('a history becomes one message for each turn, and is restored', () => {
  const { value, losses } = openaiAgents.fromMessages(history)
  expect(losses).toEqual([])
  expect(value.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(value[1]?.content[0]).toMatchObject({
    type: 'reasoning',
    text: 'Look it up.',
    signature: { vendor: 'openai', value: 'xyz' },
  })
  expect(value.flatMap((message) => toolCallsOf(message).map(({ name }) => name))).toEqual([
    'web_search_call',
    'weather',
  ])
  expect(value[3] && textOf(value[3])).toBe('It is 4 degrees.')
  expectSame(again(openaiAgents.toMessages(value).value), again(history))
})
