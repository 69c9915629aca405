import type { Usage } from '../../canonical/model/usage.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

const counters = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

/** Whether a usage counts anything. */
function hasTokens(wire: Wire): boolean {
  return typeof wire['input_tokens'] === 'number' || typeof wire['output_tokens'] === 'number'
}

/** Reads usage: the provider counts fresh, read and written input apart; we count them together. Undefined when it counts nothing. */
export function decodeUsage(wire: Json | undefined): Usage | undefined {
  if (!isObject(wire) || !hasTokens(wire)) return undefined
  const [fresh, output, read, written] = counters.map((key) =>
    typeof wire[key] === 'number' ? wire[key] : undefined,
  )
  const input = (fresh ?? 0) + (read ?? 0) + (written ?? 0)
  const details = wire['output_tokens_details']
  const thinking =
    isObject(details) && typeof details['thinking_tokens'] === 'number'
      ? details['thinking_tokens']
      : undefined
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output ?? 0,
    totalTokens: input + (output ?? 0),
    ...(read !== undefined && { cachedInputTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...(thinking !== undefined && { reasoningTokens: thinking }),
  }
  return sealOwn(withResidue(usage, SLOT, writeUsage(usage), wire))
}

/** Writes usage, with every counter that a response must have. */
export function encodeUsage(usage: Usage | undefined, encoding: Encoding = silent): JsonObject {
  if (usage !== undefined && usage.totalTokens !== usage.inputTokens + usage.outputTokens)
    encoding.lose('usage-total', below(below(undefined, 'usage'), 'totalTokens'))
  const counted = usage ?? { inputTokens: 0, outputTokens: 0, totalTokens: 0 }
  return applyResidue(writeUsage(counted), counted, SLOT)
}

function writeUsage({
  inputTokens,
  outputTokens,
  cachedInputTokens: read,
  cacheWriteTokens: written,
  reasoningTokens,
}: Usage): JsonObject {
  return {
    input_tokens: Math.max(0, inputTokens - (read ?? 0) - (written ?? 0)),
    output_tokens: outputTokens,
    cache_read_input_tokens: read ?? null,
    cache_creation_input_tokens: written ?? null,
    cache_creation: null,
    output_tokens_details: reasoningTokens === undefined ? null : { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    service_tier: null,
    inference_geo: null,
    speed: null,
  }
}
