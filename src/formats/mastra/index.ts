import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { MastraMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { MastraMessageJson, MastraPartJson } from './types.ts'

/**
 * The messages that the stores of Mastra keep: `MastraDBMessage`, whose content has the format 2. Threads, resources and
 * dates are restored.
 *
 * @example
 * const { messages: stored } = await memory.recall({ threadId })
 * const { value: messages } = mastra.fromMessages(stored)
 */
export const mastra: MessageFormat<typeof NAME, MastraMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
