import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { AgentItemJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { AgentItemJson } from './types.ts'

/**
 * The items of the OpenAI Agents SDK for JavaScript: `result.history`, the items of a session, and the input of `run`. Items of
 * one answer become one message; items without a canonical form are kept as they are.
 *
 * @example
 * const { value: messages } = openaiAgents.fromMessages(await session.getItems())
 */
export const openaiAgents: MessageFormat<typeof NAME, AgentItemJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
