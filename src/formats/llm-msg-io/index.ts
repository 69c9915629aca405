import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { MsgIoMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export { writeStf } from './stf-write.ts'
export type { MsgIoMessageJson } from './types.ts'

/**
 * The messages of llm-msg-io, from JSON, NDJSON and STF files. Thinking blocks of Claude and thought signatures of Gemini become
 * signatures of the parts that they belong to.
 *
 * @example
 * const { value: messages } = llmMsgIo.fromMessages(await readFile('chat.ndjson', 'utf8'))
 */
export const llmMsgIo: MessageFormat<typeof NAME, MsgIoMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
