import { type ChatResponseFormat, createChatResponseCodec } from '../shared/chat-response.ts'
import { encodeRequiredFinish } from '../shared/response-metadata.ts'
import type { ResponseCodec } from '../shared/single-response.ts'
import { decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import { CHOICE_SLOT, DIALECT_SLOT, RESPONSE_SLOT, toolNameRule } from './constants.ts'
import { decodeFinishWithCalls, decodeUsage, encodeFinish, encodeUsage } from './response-metadata.ts'

const responseFormat: ChatResponseFormat = {
  slot: DIALECT_SLOT,
  responseSlot: RESPONSE_SLOT,
  choiceSlot: CHOICE_SLOT,
  toolNameRule,
  decodeMessage: (wire, ids) => decodeAssistantMessage(wire, RESPONSE_SLOT, ids),
  encodeMessage: (message, path, context) => encodeAssistantMessage(message, path, context, RESPONSE_SLOT),
  decodeFinish: decodeFinishWithCalls,
  encodeFinish: (message, path, context) =>
    encodeRequiredFinish(message, DIALECT_SLOT, encodeFinish, path, context),
  decodeUsage,
  encodeUsage,
  choiceFields: {},
  boundKeys: ['logprobs'],
  requiredUsage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
}

const responses: ResponseCodec = createChatResponseCodec(responseFormat)

export const decodeResponse: ResponseCodec['decodeResponse'] = responses.decodeResponse
export const encodeResponse: ResponseCodec['encodeResponse'] = responses.encodeResponse
