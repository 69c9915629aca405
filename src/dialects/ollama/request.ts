import type { ChatRequest, LogprobSettings } from '../../canonical/model/request.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportForeign } from '../foreign.ts'
import { fitRequest, modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import { settle } from '../settle.ts'
import { bodyOf } from '../shared/body.ts'
import { decodeRows, encodeRows } from '../shared/rows.ts'
import { outputHint } from '../shared/schemas.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { decodeMessages, encodeMessages } from './messages.ts'
import { families } from './models.ts'
import {
  options as rows,
  outputs,
  readFormat,
  readStream,
  readThink,
  writeFormat,
  writeThink,
} from './settings.ts'
import { decodeTool, encodeChosen } from './tools.ts'

type Wire = { readonly [key: string]: Json }

/** Settings of ours that this format has no field for. */
const missing = ['parallelToolCalls', 'candidateCount', 'user', 'metadata'] as const

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { model, messages, tools, options: settings, format, think } = body
  const stream = readStream(body['stream'])
  const logprobs = readLogprobs(body)
  const request: ChatRequest = {
    ...(typeof model === 'string' && { model }),
    messages: markOdd(decodeMessages(messages, options) ?? [], SLOT),
    ...(Array.isArray(tools) && tools.length > 0 && { tools: (tools as readonly Json[]).map(decodeTool) }),
    ...(isObject(settings) && decodeRows(settings, rows)),
    ...readFormat(format),
    ...readThink(think),
    ...(logprobs !== undefined && { logprobs }),
    ...(stream !== undefined && { stream }),
  }
  if (options.exact === false) return sealedCopy(request)
  const hints = {
    ...(isObject(settings) && { options: true }),
    ...(stream === undefined && { stream: 'unread' }),
    ...modelHint(request, families),
    ...outputHint(request.output, outputs),
  }
  // The messages were compared one by one when they were read, and each stands for itself.
  const made = writeRequest(request, silent, hints, () => (Array.isArray(messages) ? messages : []))
  return sealedCopy(withResidue(request, SLOT, made, body, hints))
}

function readLogprobs({ logprobs, top_logprobs: top }: Wire): LogprobSettings | undefined {
  if (logprobs !== true) return undefined
  return Number.isSafeInteger(top) ? { top: top as number } : {}
}

/** Writes a request. */
export function encodeRequest(request: ChatRequest, encoding: Encoding): JsonObject {
  reportForeign(request, SLOT, 'request', encoding)
  for (const key of missing) {
    if (request[key] !== undefined) encoding.lose('no-field', below(undefined, key))
  }
  const hints = hintsFor(request, SLOT)
  const fitted = fitRequest(request, families, hints, encoding)
  const { messages } = fitted
  const made = writeRequest(fitted, encoding, hints, () =>
    encodeMessages(settle(messages, SLOT, below(undefined, 'messages'), encoding), encoding),
  )
  return applyResidue(made, request, SLOT)
}

function writeRequest(
  request: ChatRequest,
  encoding: Encoding,
  hints: Hints,
  conversation: () => readonly Json[],
): JsonObject {
  const { tools = [], toolChoice, logprobs } = request
  const model = encoding.options.model ?? request.model
  const settings = encodeRows(request, rows)
  const format = writeFormat(request.output, hints, encoding)
  const think = writeThink(request.reasoning, encoding)
  const stream = writeStream(request.stream, hints, encoding)
  return {
    ...(model !== undefined && { model }),
    messages: conversation(),
    ...encodeChosen(tools, toolChoice, encoding),
    ...((Object.keys(settings).length > 0 || hints['options'] === true) && { options: settings }),
    ...(format !== undefined && { format }),
    ...(think !== undefined && { think }),
    ...(logprobs !== undefined && {
      logprobs: true,
      ...(logprobs.top !== undefined && { top_logprobs: logprobs.top }),
    }),
    ...(stream !== undefined && { stream }),
  }
}

/** The server streams when it is not told otherwise: it always is. */
function writeStream(stream: boolean | undefined, hints: Hints, encoding: Encoding): boolean | undefined {
  if (stream !== undefined || hints['stream'] === 'unread') return stream
  encoding.lose('stream-stated', below(undefined, 'stream'))
  return false
}
