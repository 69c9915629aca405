import { freshId } from '../../canonical/build/identity.ts'
import type { Finish } from '../../canonical/model/finish.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { bodyOf } from '../shared/body.ts'
import { applyResidue, withResidue } from '../unit.ts'
import { SLOT, stopReasons } from './codes.ts'
import { decodeBlock, encodeBlocks } from './parts.ts'

type Wire = { readonly [key: string]: Json }

/** What only a response may carry. */
const RESPONSE = `${SLOT}/response`

/** Reads a response. */
export function decodeResponse(wire: unknown, options: DecodeOptions): ChatResponse {
  const body = bodyOf(wire, 'response')
  const { id, model, content, usage } = body
  const parts = Array.isArray(content) ? (content as readonly Json[]).map(decodeBlock) : []
  const finish = decodeFinish(body)
  const message: AssistantMessage = {
    id: freshId('msg', options),
    role: 'assistant',
    content: parts.filter((part): part is AssistantPart => part.type !== 'json'),
    origin: {
      dialect: SLOT,
      ...(typeof model === 'string' && { model }),
      ...(typeof id === 'string' && { responseId: id }),
    },
    ...(finish !== undefined && { finish }),
  }
  const response: ChatResponse = {
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    candidates: [sealedCopy(message)],
    ...(isObject(usage) && hasTokens(usage) && { usage: decodeUsage(usage) }),
  }
  if (options.exact === false) return sealedCopy(response)
  return sealedCopy(withResidue(response, RESPONSE, writeResponse(response, silent), body))
}

/** Writes a response; this format has one candidate. */
export function encodeResponse(response: ChatResponse, encoding: Encoding): JsonObject {
  reportForeign(response, SLOT, 'response', encoding)
  for (const index of response.candidates.slice(1).keys()) {
    encoding.lose('candidates-dropped', below(below(undefined, 'candidates'), index + 1))
  }
  return applyResidue(writeResponse(response, encoding), response, RESPONSE)
}

function writeResponse(response: ChatResponse, encoding: Encoding): JsonObject {
  const [message] = response.candidates
  const at = below(below(below(undefined, 'candidates'), 0), 'content')
  return {
    id: response.id ?? '',
    type: 'message',
    role: 'assistant',
    model: response.model ?? '',
    content: message === undefined ? [] : encodeBlocks(message.content, at, encoding, true),
    ...encodeFinish(message?.finish),
    usage: encodeUsage(response.usage),
    container: null,
    diagnostics: null,
  }
}

/** Why the model stopped. */
export function decodeFinish({ stop_reason: raw, stop_sequence: sequence }: Wire): Finish | undefined {
  if (typeof raw !== 'string') return undefined
  const reason = stopReasons.fromWire(raw) ?? 'other'
  const plain = stopReasons.toWire(reason) === raw
  return { reason, ...(!plain && { raw }), ...(typeof sequence === 'string' && { stopSequence: sequence }) }
}

/** Why the model stopped, in the wire's words: its own word while that still means the same. */
export function encodeFinish(finish: Finish | undefined): JsonObject {
  const { reason, raw, stopSequence } = finish ?? {}
  const fresh =
    reason === undefined
      ? null
      : stopSequence !== undefined && reason === 'stop'
        ? 'stop_sequence'
        : (stopReasons.toWire(reason) ?? 'end_turn')
  const kept = raw !== undefined && (stopReasons.fromWire(raw) ?? 'other') === reason ? raw : undefined
  const word = kept ?? fresh
  const details = word === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null
  return { stop_reason: word, stop_sequence: stopSequence ?? null, stop_details: details }
}

const counters = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

function hasTokens(wire: Wire): boolean {
  return typeof wire['input_tokens'] === 'number' || typeof wire['output_tokens'] === 'number'
}

/** Reads usage: the provider counts fresh, read and written input apart; we count them together. */
export function decodeUsage(wire: Wire): Usage {
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
  return sealedCopy(withResidue(usage, SLOT, writeUsage(usage), wire))
}

/** Writes usage, with every counter that a response must have. */
export function encodeUsage(usage: Usage | undefined): JsonObject {
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
  }
}
