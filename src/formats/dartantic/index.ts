import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { DartanticMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { DartanticMessageJson } from './types.ts'

/**
 * The messages of dartantic as `ChatMessage.toJson` writes them, of versions 1 and 2 and of version 3, which uses
 * genai_primitives. Results in user messages become tool messages, and the thinking block of Anthropic becomes a signature.
 *
 * @example
 * const { value: messages } = dartantic.fromMessages(await readFile('history.json', 'utf8'))
 */
export const dartantic: MessageFormat<typeof NAME, DartanticMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
