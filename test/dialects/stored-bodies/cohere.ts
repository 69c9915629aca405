import type { JsonObject } from 'interlingua'
import { oddRequests, requests } from '../bodies/cohere-requests.ts'
import { oddResponses, responses } from '../bodies/cohere-responses.ts'
import { type GoldenCase, misnamed, request, response, stream } from './case.ts'

/** Bodies that the canonical form contains completely. */
const plainNames: ReadonlySet<string> = new Set(['hello', 'thinkingOff', 'stopSequence', 'unknown'])

const withoutPlain = (bodies: { readonly [name: string]: JsonObject }): [name: string, body: JsonObject][] =>
  Object.entries(bodies).filter(([name]) => !plainNames.has(name))

/** Bodies of Cohere that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  ...withoutPlain({ ...requests, ...oddRequests }).map(([name, wire]) => request(name, wire)),
  ...withoutPlain({ ...responses, ...oddResponses }).map(([name, wire]) => response(`answer: ${name}`, wire)),
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
    { type: 'message-start', id: 'r', delta: { message: { role: 'assistant', content: [] } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } }, $: 1 },
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
  ]),
]
