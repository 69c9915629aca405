import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { SLOT } from './codes.ts'
import { aliases, camel } from './spelling.ts'

const counters = [
  'promptTokenCount',
  'candidatesTokenCount',
  'totalTokenCount',
  'cachedContentTokenCount',
  'thoughtsTokenCount',
  'toolUsePromptTokenCount',
] as const

/** Reads usage; undefined when it counts nothing. Thoughts, and what tools put into the prompt, are counted apart. */
export function decodeUsage(came: Json | undefined): Usage | undefined {
  if (!isObject(came)) return undefined
  const wire = camel(came)
  const [prompt, said, total, cached, thoughts, tools] = counters.map((key) =>
    typeof wire[key] === 'number' && wire[key] >= 0 ? wire[key] : undefined,
  )
  if (prompt === undefined && said === undefined && total === undefined) return undefined
  const input = (prompt ?? 0) + (tools ?? 0)
  const output = (said ?? 0) + (thoughts ?? 0)
  const usage: Usage = {
    inputTokens: input,
    outputTokens: output,
    totalTokens: total ?? input + output,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  }
  const hints = tools === undefined ? {} : { toolPromptTokens: tools }
  return keep(usage, SLOT, SLOT, hints, came, (each) => encodeUsage(each), aliases)
}

/** Writes usage. */
export function encodeUsage(usage: Usage, encoding: Encoding = silent): JsonObject {
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } =
    usage
  if (cacheWriteTokens !== undefined && cacheWriteTokens !== 0)
    encoding.lose('usage-detail', below(below(undefined, 'usage'), 'cacheWriteTokens'))
  // Some hosts count more thoughts than output; here the output is the sum of both.
  const thoughts = reasoningTokens === undefined ? undefined : Math.min(reasoningTokens, outputTokens)
  if (thoughts !== reasoningTokens)
    encoding.lose('usage-thoughts', below(below(undefined, 'usage'), 'reasoningTokens'))
  const { toolPromptTokens: tools } = hintsFor(usage, SLOT)
  const beside = typeof tools === 'number' ? tools : 0
  const made = {
    promptTokenCount: Math.max(0, inputTokens - beside),
    candidatesTokenCount: outputTokens - (thoughts ?? 0),
    totalTokenCount: totalTokens,
    ...(cachedInputTokens !== undefined && { cachedContentTokenCount: cachedInputTokens }),
    ...(thoughts !== undefined && { thoughtsTokenCount: thoughts }),
    ...(typeof tools === 'number' && { toolUsePromptTokenCount: tools }),
  }
  return applyResidue(made, usage, SLOT)
}
