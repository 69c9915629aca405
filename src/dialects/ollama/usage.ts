import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintsFor, keep } from '../unit.ts'
import { SLOT } from './codes.ts'

type Wire = { readonly [key: string]: Json }

/** What the clients take for granted in an answer: how long things took, in nanoseconds. */
const timings: JsonObject = {
  total_duration: 0,
  load_duration: 0,
  prompt_eval_duration: 0,
  eval_duration: 0,
}

/** The counters of an answer that counts nothing. */
export const uncounted: JsonObject = { ...timings, prompt_eval_count: 0, eval_count: 0 }

/** What an answer says beside its counters. */
export function withoutUsage(body: Wire): Wire {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !Object.hasOwn(uncounted, key)))
}

/** Reads usage; undefined when nothing is counted. The server leaves out what is zero. */
export function decodeUsage(body: Json | undefined): Usage | undefined {
  if (!isObject(body)) return undefined
  const { prompt_eval_count: input, eval_count: output } = body
  if (typeof input !== 'number' && typeof output !== 'number') return undefined
  const read = typeof input === 'number' ? input : 0
  const said = typeof output === 'number' ? output : 0
  const usage: Usage = { inputTokens: read, outputTokens: said, totalTokens: read + said }
  const counters = Object.fromEntries(Object.entries(body).filter(([key]) => Object.hasOwn(uncounted, key)))
  const bare = Object.keys(timings).some((key) => !Object.hasOwn(counters, key))
  return keep(
    usage,
    SLOT,
    SLOT,
    bare ? { missingDurations: true } : {},
    bare ? counters : withoutZeros(counters),
    writeCounts,
  )
}

function withoutZeros(counters: Wire): Wire {
  return Object.fromEntries(
    Object.entries(counters).filter(([key, value]) => !(Object.hasOwn(timings, key) && value === 0)),
  )
}

function writeCounts({ inputTokens, outputTokens }: Usage): JsonObject {
  return { prompt_eval_count: inputTokens, eval_count: outputTokens }
}

/** Writes usage, with every counter that a client expects. */
export function encodeUsage(usage: Usage, encoding: Encoding = silent): JsonObject {
  const at = below(undefined, 'usage')
  if (usage.totalTokens !== usage.inputTokens + usage.outputTokens)
    encoding.lose('usage-total', below(at, 'totalTokens'))
  for (const key of ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const) {
    if ((usage[key] ?? 0) !== 0) encoding.lose('usage-detail', below(at, key))
  }
  const counts = applyResidue(writeCounts(usage), usage, SLOT)
  return hintsFor(usage, SLOT)['missingDurations'] === true ? counts : { ...timings, ...counts }
}
