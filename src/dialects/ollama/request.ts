import type { ChatRequest } from '../../canonical/model/request.ts'
import { isList, isObject, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions, Endpoint } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createAcceptedByModelHint } from '../engine/fit-request-to-model.ts'
import { preserveInvalidToolPairing } from '../engine/preserve-invalid-pairing.ts'
import type { RequestWriter } from '../engine/encode-request.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import { decodeLogprobSettings, encodeLogprobSettings } from '../shared/openai-common.ts'
import { decodeDirectSettings, encodeDirectSettings } from '../engine/setting-tables.ts'
import { createSchemaHint } from '../shared/fit-schemas.ts'
import { preserveRepeatedTools } from '../shared/tool-list.ts'
import { withResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, modelFactUse } from './constants.ts'
import { WireConversationWriter } from './conversation-writer.ts'
import { decodeMessages } from './messages.ts'
import {
  fitOutputSchema,
  decodeOutputFormat,
  decodeReasoningSettings,
  decodeStreamFlag,
  settings,
  encodeOutputFormat,
  encodeReasoningSettings,
} from './settings.ts'
import { decodeTool, encodeAllowedTools } from './tools.ts'
import type { OllamaHints } from './hints.ts'

/** Returns the endpoint, which is the same for all requests. */
export function getEndpoint(): Endpoint {
  return { path: '/api/chat' }
}

/** Decodes a request; fields that the canonical request does not have are kept as residue. */
export function decodeRequest(body: ReceivedBody, options: DecodeOptions): ChatRequest {
  const { model, messages, tools, options: config, format, think } = body
  const stream = decodeStreamFlag(body['stream'])
  const request: ChatRequest = {
    ...(typeof model === 'string' && { model }),
    messages: preserveInvalidToolPairing(decodeMessages(messages, options), DIALECT_SLOT, {
      matchesByOrder: true,
    }),
    ...(isList(tools) &&
      tools.length > 0 && {
        tools: preserveRepeatedTools(
          tools.map((tool) => decodeTool(tool)),
          DIALECT_SLOT,
        ),
      }),
    ...(isObject(config) && decodeDirectSettings(config, settings.request)),
    ...decodeOutputFormat(format),
    ...decodeReasoningSettings(think),
    ...decodeLogprobSettings(body),
    ...(stream !== undefined && { stream }),
  }
  if (options.exact === false) return request
  const hints = {
    ...(isObject(config) && { hasOptions: true }),
    ...(stream === undefined && { invalidStream: true }),
    ...createAcceptedByModelHint(request, modelFactUse, body),
    ...createSchemaHint(request.output ?? {}, fitOutputSchema),
  }
  // The messages were compared one by one when they were decoded, and they are never joined.
  const conversation = { messages: Array.isArray(messages) ? messages : [] }
  const made = writeFields(request, conversation, hints, noReport)
  return withResidue(request, DIALECT_SLOT, made, body, hints)
}

function writeFields(
  request: ChatRequest,
  conversation: JsonObject,
  hints: OllamaHints,
  context: EncodeContext,
): JsonObject {
  const { tools = [], toolChoice } = request
  const model = context.options.model ?? request.model
  const config = encodeDirectSettings(request, settings.request)
  const format = encodeOutputFormat(request.output, hints, context)
  const think = encodeReasoningSettings(request.reasoning, context)
  const stream = encodeStreamFlag(request.stream, hints)
  return {
    ...(model !== undefined && { model }),
    ...conversation,
    ...encodeAllowedTools(tools, toolChoice, context),
    ...((Object.keys(config).length > 0 || hints['hasOptions'] === true) && { options: config }),
    ...(format !== undefined && { format }),
    ...(think !== undefined && { think }),
    ...encodeLogprobSettings(request.logprobs),
    ...(stream !== undefined && { stream }),
  }
}

/** Encodes the `stream` field. It is always sent, because the server streams by default. */
function encodeStreamFlag(stream: boolean | undefined, hints: OllamaHints): boolean | undefined {
  return hints['invalidStream'] === true ? stream : (stream ?? false)
}

export const requestWriter: RequestWriter = {
  listKey: 'messages',
  isAlwaysList: true,
  modelFactUseFor: () => modelFactUse,
  reasoning: {},
  settingsFor: () => settings,
  createConversationWriter: () => new WireConversationWriter(),
  writeFields,
}
