import type { JsonObject } from 'interlingua'
import { INPUT, JSON_INPUT, type PlainAnswers, TEXT } from './plain-answer.ts'

const metadata = {
  usage: { inputTokens: 82, outputTokens: 17, totalTokens: 99 },
  metrics: { latencyMs: 551 },
}
const createBody = (block: JsonObject, stopReason: string): JsonObject => ({
  output: { message: { role: 'assistant', content: [block] } },
  stopReason,
  ...metadata,
})
const createStream = (
  events: readonly JsonObject[],
  deltas: readonly JsonObject[],
  stopReason: string,
): readonly JsonObject[] => [
  { messageStart: { role: 'assistant' } },
  ...events,
  ...deltas.map((delta) => ({ contentBlockDelta: { contentBlockIndex: 0, delta } })),
  { contentBlockStop: { contentBlockIndex: 0 } },
  { messageStop: { stopReason } },
  { metadata: metadata },
]
const use = { toolUseId: 'tooluse_Xq', name: 'get_weather' }

/** Plain answers of Amazon Bedrock's Converse API. */
export const bedrock: PlainAnswers = {
  text: {
    whole: createBody({ text: TEXT }, 'end_turn'),
    streamed: createStream([], [{ text: TEXT.slice(0, 5) }, { text: TEXT.slice(5) }], 'end_turn'),
  },
  call: {
    whole: createBody({ toolUse: { ...use, input: INPUT } }, 'tool_use'),
    streamed: createStream(
      [{ contentBlockStart: { start: { toolUse: use }, contentBlockIndex: 0 } }],
      [{ toolUse: { input: JSON_INPUT } }],
      'tool_use',
    ),
  },
}
