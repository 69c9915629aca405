import type { ChatRequest } from '../../canonical/model/request.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { type Encoding, silent } from '../encoding.ts'
import { modelHint } from '../models.ts'
import { markOdd } from '../odd.ts'
import type { RequestWriter } from '../requests.ts'
import { bodyOf } from '../shared/body.ts'
import { readLogprobs, writeLogprobs } from '../shared/logprobs.ts'
import { decodeRows, encodeRows } from '../shared/rows.ts'
import { outputHint } from '../shared/schemas.ts'
import { withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { WireConversation } from './conversation.ts'
import { decodeMessages } from './messages.ts'
import { families } from './models.ts'
import {
  outputs,
  readOutput,
  readReasoning,
  readStream,
  settings,
  writeOutput,
  writeReasoning,
} from './settings.ts'
import { decodeTool, encodeChosen } from './tools.ts'
import type { OllamaHint } from './hints.ts'

/** Reads a request; whatever it says beyond our fields is kept beside them. */
export function decodeRequest(wire: unknown, options: DecodeOptions): ChatRequest {
  const body = bodyOf(wire, 'request')
  const { model, messages, tools, options: config, format, think } = body
  const stream = readStream(body['stream'])
  const request: ChatRequest = {
    ...(typeof model === 'string' && { model }),
    messages: markOdd(decodeMessages(messages, options) ?? [], SLOT),
    ...(isList(tools) && tools.length > 0 && { tools: tools.map(decodeTool) }),
    ...(isObject(config) && decodeRows(config, settings.request)),
    ...readOutput(format),
    ...readReasoning(think),
    ...readLogprobs(body),
    ...(stream !== undefined && { stream }),
  }
  if (options.exact === false) return sealOwn(request)
  const hints = {
    ...(isObject(config) && { hasOptions: true }),
    ...(stream === undefined && { invalidStream: true }),
    ...modelHint(request, SLOT, families),
    ...outputHint(request.output, outputs),
  }
  // The messages were compared one by one when they were read, and each stands for itself.
  const conversation = { messages: Array.isArray(messages) ? messages : [] }
  const made = writeRequest(request, conversation, hints, silent)
  return sealOwn(withResidue(request, SLOT, made, body, hints))
}

function writeRequest(
  request: ChatRequest,
  conversation: JsonObject,
  hints: Hints<OllamaHint>,
  encoding: Encoding,
): JsonObject {
  const { tools = [], toolChoice } = request
  const model = encoding.options.model ?? request.model
  const config = encodeRows(request, settings.request)
  const format = writeOutput(request.output, hints, encoding)
  const think = writeReasoning(request.reasoning, encoding)
  const stream = writeStream(request.stream, hints, encoding)
  return {
    ...(model !== undefined && { model }),
    ...conversation,
    ...encodeChosen(tools, toolChoice, encoding),
    ...((Object.keys(config).length > 0 || hints['hasOptions'] === true) && { options: config }),
    ...(format !== undefined && { format }),
    ...(think !== undefined && { think }),
    ...writeLogprobs(request.logprobs),
    ...(stream !== undefined && { stream }),
  }
}

/** The server streams when it is not told otherwise: it always is. */
function writeStream(
  stream: boolean | undefined,
  hints: Hints<OllamaHint>,
  encoding: Encoding,
): boolean | undefined {
  if (stream !== undefined || hints['invalidStream'] === true) return stream
  encoding.lose('stream-stated', below(undefined, 'stream'))
  return false
}

/** Writes requests. */
export const requests: RequestWriter = {
  list: 'messages',
  families,
  settingsFor: () => settings,
  converse: () => new WireConversation(),
  write: writeRequest,
}
