import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { ModelMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { ModelMessageJson } from './types.ts'

/**
 * The messages of `generateText` and `streamText`: `ModelMessage` of the AI SDK, versions 5 to 7. It also reads `CoreMessage`
 * of version 4.
 *
 * @example
 * const { value: messages } = aiSdkModelMessages.fromMessages((await result.response).messages)
 */
export const aiSdkModelMessages: MessageFormat<typeof NAME, ModelMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
