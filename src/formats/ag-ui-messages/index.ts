import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { AgUiMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { AgUiMessageJson, AgUiPartJson, AgUiToolCallJson } from './types.ts'

/**
 * The messages of AG-UI: those of `RunAgentInput`, which a client sends, and of `MESSAGES_SNAPSHOT`. Reasoning messages belong
 * to the answer after them; activities are kept as they are.
 *
 * @example
 * const { value: messages } = agUiMessages.fromMessages((await request.json()).messages)
 */
export const agUiMessages: MessageFormat<typeof NAME, AgUiMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
