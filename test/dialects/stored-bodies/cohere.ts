import type { JsonObject } from 'interlingua'
import { oddRequests, requests } from '../bodies/cohere-requests.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'
import { type GoldenCase, misnamed, request, response, stream } from './case.ts'

/** Bodies that the canonical form contains completely. */
const plainNames: ReadonlySet<string> = new Set(['hello', 'thinkingOff', 'stopSequence', 'unknown'])

const omitPlain = (bodies: { readonly [name: string]: JsonObject }): [name: string, body: JsonObject][] =>
  Object.entries(bodies).filter(([name]) => !plainNames.has(name))

const start = { type: 'message-start', id: 'r', delta: { message: { role: 'assistant', content: [] } } }
const event = (type: string, message: JsonObject, fields: JsonObject = {}): JsonObject => ({
  type,
  index: 0,
  delta: { message },
  ...fields,
})
const end = (reason: string): JsonObject => ({ type: 'message-end', delta: { finish_reason: reason } })

/** Bodies of Cohere that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  ...omitPlain({ ...requests, ...oddRequests }).map(([name, wire]) => request(name, wire)),
  ...omitPlain(responses).map(([name, wire]) => response(`answer: ${name}`, wire)),
  ...omitPlain(oddResponses).map(([name, wire]) => response(`unusual answer: ${name}`, wire)),
  response(
    'renamed tool',
    {
      id: 'r',
      finish_reason: 'TOOL_CALL',
      message: {
        role: 'assistant',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get_weather_dce3870e', arguments: '{}' } },
        ],
      },
      $: 1,
    },
    { request: misnamed },
  ),
  request('refused name', {
    model: 'command-a-03-2025',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'function', function: { name: 'get-weather', parameters: { type: 'object' } } }],
  }),
  stream('text', [
    start,
    event('content-start', { content: { type: 'text', text: '' } }),
    event('content-delta', { content: { text: 'Hi' } }, { $: 1 }),
    { type: 'content-end', index: 0 },
    end('COMPLETE'),
  ]),
  stream('tool plan and a call', [
    start,
    { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I will look.' } } },
    event('tool-call-start', {
      tool_calls: { id: 'a', type: 'function', function: { name: 'now', arguments: '' } },
    }),
    { type: 'tool-call-end', index: 0, $: 1 },
    end('TOOL_CALL'),
  ]),
]
