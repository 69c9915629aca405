import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { PydanticMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { PydanticMessageJson, PydanticPartJson } from './types.ts'

/**
 * The messages of pydantic-ai, as `result.all_messages_json()` and `ModelMessagesTypeAdapter.dump_json` write them. The prompts
 * and results of a request become messages, and are one request again when they are written.
 *
 * @example
 * const { value: messages } = pydanticAi.fromMessages(await readFile('history.json', 'utf8'))
 */
export const pydanticAi: MessageFormat<typeof NAME, PydanticMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
