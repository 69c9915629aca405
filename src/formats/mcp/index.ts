import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { McpMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { McpBlockJson, McpMessageJson } from './types.ts'

/**
 * The messages of the Model Context Protocol: those of sampling requests, with tool calls and results, and those of prompts,
 * with resources.
 *
 * @example
 * client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
 *   const { value: messages } = mcpMessages.fromMessages(params.messages)
 *   // …
 * })
 */
export const mcpMessages: MessageFormat<typeof NAME, McpMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
