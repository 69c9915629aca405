import { type ChatResponseFormat, createChatResponseCodec } from '../shared/chat-response.ts'
import { encodeRequiredFinish } from '../shared/response-metadata.ts'
import type { ResponseCodec } from '../shared/single-response.ts'
import { CHOICE_SLOT, RESPONSE_SLOT, DIALECT_SLOT, toolNameRule } from './constants.ts'
import {
  encodeFinish,
  decodeFinishWithCalls,
  decodeUsage,
  encodeUsage,
  toLegacyFinish,
} from './response-metadata.ts'
import { decodeAssistantMessage, encodeAssistantMessage } from './assistant-message.ts'
import { isLegacyCall } from './tool-calls.ts'

const responseFormat: ChatResponseFormat = {
  slot: DIALECT_SLOT,
  responseSlot: RESPONSE_SLOT,
  choiceSlot: CHOICE_SLOT,
  toolNameRule,
  decodeMessage: (wire, ids) => decodeAssistantMessage(wire, RESPONSE_SLOT, ids),
  encodeMessage: (message, path, context) => encodeAssistantMessage(message, path, context, RESPONSE_SLOT),
  decodeFinish: decodeFinishWithCalls,
  encodeFinish: (message, path, context) => {
    const finish = encodeRequiredFinish(message, DIALECT_SLOT, encodeFinish, path, context)
    return finish && toLegacyFinish(finish, message.content.some(isLegacyCall))
  },
  decodeUsage,
  encodeUsage,
  choiceFields: { logprobs: null },
  boundKeys: ['logprobs'],
}

const responses: ResponseCodec = createChatResponseCodec(responseFormat)

export const decodeResponse: ResponseCodec['decodeResponse'] = responses.decodeResponse
export const encodeResponse: ResponseCodec['encodeResponse'] = responses.encodeResponse
