import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { NeuronMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { NeuronMessageJson } from './types.ts'

/**
 * The chat history of NeuronAI: blocks of new versions, texts with attachments of old ones, and messages of the types
 * `tool_call` and `tool_call_result`.
 *
 * @example
 * const { value: messages } = neuronAi.fromMessages(await readFile('neuron_1.chat', 'utf8'))
 */
export const neuronAi: MessageFormat<typeof NAME, NeuronMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
