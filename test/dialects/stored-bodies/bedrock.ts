import type { JsonObject } from 'interlingua'
import { requests } from '../bodies/bedrock-requests.ts'
import { oddResponses, responses } from '../bodies/bedrock-responses.ts'
import { oddRequests } from '../bodies/bedrock-unusual-requests.ts'
import { type GoldenCase, miskeyed, misnamed, request, response, stream } from './case.ts'

const delta = (value: JsonObject, index = 0): JsonObject => ({
  contentBlockDelta: { contentBlockIndex: index, delta: value },
})
const end = (index = 0): JsonObject => ({ contentBlockStop: { contentBlockIndex: index } })
const start = { messageStart: { role: 'assistant' } }
const stop = { messageStop: { stopReason: 'end_turn', $: 1 } }

const calling = (name: string, input: JsonObject): JsonObject => ({
  output: { message: { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name, input } }] } },
  stopReason: 'tool_use',
  usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
  metrics: { latencyMs: 1 },
})

/** Bodies that the canonical request contains completely. */
const plainNames: ReadonlySet<string> = new Set([
  'minimal',
  'thinking with a budget',
  'adaptive thinking with an effort',
  'tools',
  'tool choice any',
  'tool choice by name',
  'cache points',
  'reasoning',
  'content is text',
  'unknown role',
  'unusual cache points',
  'new blocks',
  'tools that are no objects',
])

/** Bodies of Bedrock that need every hint, mark and group of residue. */
export const cases: readonly GoldenCase[] = [
  ...Object.entries({ ...requests, ...oddRequests })
    .filter(([name]) => !plainNames.has(name))
    .map(([name, wire]) => request(name, wire)),
  ...Object.entries({ ...responses, ...oddResponses }).map(([name, wire]) =>
    response(`answer: ${name}`, wire),
  ),
  response('renamed tool', calling('get_weather_dce3870e', {}), { request: misnamed }),
  response('renamed key', calling('list', { _top_81bf98e4: 5 }), { request: miskeyed }),
  request('refused ids and keys', {
    messages: [
      { role: 'user', content: [{ text: 'Hi' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'a.b', name: 'list', input: { $top: 5 } } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'a.b', content: [{ text: 'None' }] } }] },
    ],
    toolConfig: { tools: [{ toolSpec: { name: 'list', inputSchema: { json: { type: 'object' } } } }] },
  }),
  response('reasoning of another vendor', responses['reasoning'] ?? {}, {
    request: { model: 'us.deepseek.r1-v1:0', messages: [] },
  }),
  stream(
    'reasoning without frames',
    [
      start,
      delta({ reasoningContent: { text: 'Hm' } }),
      delta({ reasoningContent: { signature: 's' } }),
      end(),
      { messageStop: { stopReason: 'end_turn' } },
      {
        metadata: { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 }, metrics: { latencyMs: 0 } },
      },
    ],
    { isReply: true },
  ),
  stream('signed reasoning', [
    start,
    delta({ reasoningContent: { text: 'Hm' } }),
    delta({ reasoningContent: { signature: 's' } }),
    end(),
    delta({ text: '' }, 1),
    end(1),
    stop,
  ]),
]
