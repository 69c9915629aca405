import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { LarAgentMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { LarAgentMessageJson } from './types.ts'

/**
 * The chat history of LarAgent: the arrays that its file, cache, session and database storages contain. Thought signatures
 * become signatures of the calls and texts that they belong to.
 *
 * @example
 * const { value: messages } = laragent.fromMessages(await readFile('storage/history.json', 'utf8'))
 */
export const laragent: MessageFormat<typeof NAME, LarAgentMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
