import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { StoredMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { StoredMessageJson } from './types.ts'

/**
 * The messages of LangChain, in JavaScript and in Python: dicts, serialized constructors, which are read as data, and plain
 * fields. It writes dicts, which `mapStoredMessagesToChatMessages` and `messages_from_dict` read.
 *
 * @example
 * const { value: messages } = langchain.fromMessages(await history.getMessages())
 */
export const langchain: MessageFormat<typeof NAME, StoredMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
