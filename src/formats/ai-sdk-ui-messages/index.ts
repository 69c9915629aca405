import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { UIMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { UIMessageJson, UIMessagePartJson } from './types.ts'

/**
 * The messages of `useChat`: `UIMessage` of the AI SDK, versions 4 to 7. It writes the form of versions 5 to 7.
 *
 * @example
 * const { value: messages } = aiSdkUiMessages.fromMessages(await loadChat(id))
 */
export const aiSdkUiMessages: MessageFormat<typeof NAME, UIMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
