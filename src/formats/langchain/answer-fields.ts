import type { Finish, FinishReason } from '../../canonical/model/message.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'

/** Words of providers for the reason why a model stopped. The first one of a reason is written. */
const FINISH_WORDS: readonly (readonly [word: string, reason: FinishReason])[] = [
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
  ['error', 'error'],
  ['aborted', 'aborted'],
  ['other', 'other'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['STOP', 'stop'],
  ['tool_use', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['max_tokens', 'length'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
]

/** Reads why the model stopped from the metadata of the response. */
export function readFinish(metadata: Json | undefined): Finish | undefined {
  if (!isObject(metadata)) return undefined
  const raw = metadata['finish_reason'] ?? metadata['stop_reason'] ?? metadata['done_reason']
  if (typeof raw !== 'string') return undefined
  return { reason: FINISH_WORDS.find(([word]) => word === raw)?.[1] ?? 'other', raw }
}

/** Writes why the model stopped: the word of the provider while it still has the meaning of the reason. */
export function writeFinish({ reason, raw }: Finish): string {
  const known = FINISH_WORDS.find(([word]) => word === raw)?.[1] ?? (raw === undefined ? undefined : 'other')
  if (raw !== undefined && known === reason) return raw
  return FINISH_WORDS.find(([, each]) => each === reason)?.[0] ?? reason
}

const pickCount = (object: Json | undefined, key: string): number | undefined => {
  const value = isObject(object) ? object[key] : undefined
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Reads the token counts; undefined if the total counts are missing. */
export function readUsage(wire: Json | undefined): Usage | undefined {
  const inputTokens = pickCount(wire, 'input_tokens')
  const outputTokens = pickCount(wire, 'output_tokens')
  if (!isObject(wire) || inputTokens === undefined || outputTokens === undefined) return undefined
  const { input_token_details: input, output_token_details: output } = wire
  return {
    inputTokens,
    outputTokens,
    totalTokens: pickCount(wire, 'total_tokens') ?? inputTokens + outputTokens,
    ...omitUndefined({
      cachedInputTokens: pickCount(input, 'cache_read'),
      cacheWriteTokens: pickCount(input, 'cache_creation'),
      reasoningTokens: pickCount(output, 'reasoning'),
    }),
  }
}

/** Writes the token counts. */
export function writeUsage(usage: Usage): JsonObject {
  const { cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage
  const hasInputDetails = cachedInputTokens !== undefined || cacheWriteTokens !== undefined
  const details = omitUndefined({ cache_read: cachedInputTokens, cache_creation: cacheWriteTokens })
  return omitUndefined({
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    input_token_details: hasInputDetails ? details : undefined,
    output_token_details: reasoningTokens === undefined ? undefined : { reasoning: reasoningTokens },
  })
}
