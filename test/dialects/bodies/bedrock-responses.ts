import type { JsonObject } from 'interlingua'

type Bodies = { readonly [name: string]: JsonObject }

const usage = { inputTokens: 12, outputTokens: 7, totalTokens: 19 }
const metrics = { latencyMs: 480 }

const respond = (
  content: readonly JsonObject[],
  stopReason = 'end_turn',
  more: JsonObject = {},
): JsonObject => ({
  output: { message: { role: 'assistant', content } },
  stopReason,
  usage,
  metrics,
  ...more,
})

const call = { toolUse: { toolUseId: 'tooluse_A1', name: 'get_weather', input: { city: 'Oslo' } } }

/** Responses of the Converse API. */
export const responses: Bodies = {
  text: respond([{ text: 'Hello!' }]),
  'tool calls': respond(
    [{ text: 'One moment.' }, call, { toolUse: { toolUseId: 'tooluse_A2', name: 'now', input: {} } }],
    'tool_use',
  ),
  reasoning: respond([
    { reasoningContent: { reasoningText: { text: 'Simple.', signature: 'c2lnbmF0dXJl' } } },
    { reasoningContent: { redactedContent: 'cmVkYWN0ZWQ=' } },
    { text: 'Four.' },
  ]),
  citations: respond([
    {
      citationsContent: {
        content: [{ text: 'The sky is blue.' }],
        citations: [
          {
            title: 'Sky',
            sourceContent: [{ text: 'blue sky' }],
            location: { documentChar: { documentIndex: 0, start: 1, end: 9 } },
          },
        ],
      },
    },
    { text: ' Really.' },
  ]),
  'stop sequence': respond([{ text: 'One, two' }], 'stop_sequence', {
    additionalModelResponseFields: { stop_sequence: 'three' },
  }),
  'usage with cache': respond([{ text: 'Hi' }], 'end_turn', {
    usage: {
      inputTokens: 3,
      outputTokens: 5,
      totalTokens: 128,
      cacheReadInputTokens: 100,
      cacheWriteInputTokens: 20,
      cacheDetails: [{ ttl: '5m', inputTokens: 20 }],
    },
    performanceConfig: { latency: 'standard' },
    serviceTier: { type: 'default' },
  }),
  guardrail: respond([{ text: 'Sorry, I cannot help.' }], 'guardrail_intervened', {
    trace: { guardrail: { modelOutput: ['bad'], actionReason: 'blocked' } },
  }),
  'executed by the provider': respond([
    { toolUse: { toolUseId: 'srv_1', name: 'nova_grounding', input: { q: 'x' }, type: 'server_tool_use' } },
    { toolResult: { toolUseId: 'srv_1', type: 'nova_grounding_result', content: [{ text: 'Found' }] } },
    { text: 'Done.' },
  ]),
  image: respond([
    { text: 'A dot' },
    {
      image: {
        format: 'png',
        source: {
          bytes:
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      },
    },
  ]),
  length: respond([{ text: 'Once upon' }], 'max_tokens'),
}

/** Responses with unusual, missing or new fields. */
export const oddResponses: Bodies = {
  empty: {},
  'no content': respond([]),
  'no usage': {
    output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
    stopReason: 'end_turn',
  },
  'stopped with calls': respond([call], 'end_turn'),
  'unknown reason': respond([{ text: 'Hi' }], 'tired'),
  'blank text': respond([{ text: '' }, { text: ' \n' }]),
  'call with its type': respond(
    [{ toolUse: { toolUseId: 'a', name: 'b', input: {}, type: 'tool_use' } }],
    'tool_use',
  ),
  'arguments as text': respond([{ toolUse: { toolUseId: 'a', name: 'b', input: 'text' } }], 'tool_use'),
  'unsigned reasoning': respond([{ reasoningContent: { reasoningText: { text: 'Hm' } } }, { text: 'Hi' }]),
  'cited in pieces': respond([
    { citationsContent: { content: [{ text: 'a' }, { text: 'b' }], citations: [] } },
    { citationsContent: { citations: [{ title: 'x' }] } },
  ]),
  audio: respond([{ audio: { format: 'wav', source: { bytes: 'UklGRgAAAABXQVZF' } } }, { text: 'Listen' }]),
  'new blocks': respond([{ future: { a: 1 } }, { cachePoint: { type: 'default' } }, { text: 'x', note: 1 }]),
  'older counters': respond([{ text: 'Hi' }], 'end_turn', {
    usage: {
      cacheReadInputTokenCount: 0,
      cacheReadInputTokens: 0,
      cacheWriteInputTokenCount: 0,
      cacheWriteInputTokens: 0,
      inputTokens: 642,
      outputTokens: 69,
      serverToolUsage: {},
      totalTokens: 711,
    },
  }),
  'malformed call': respond([{ text: 'Hm' }], 'malformed_tool_use'),
}
