import { defineMessageFormat, type MessageFormat } from '../engine/message-format.ts'
import { codec } from './codec.ts'
import type { NAME } from './constants.ts'
import type { TelemetryMessageJson } from './types.ts'

export type { MessageFormat, ReadMessagesOptions, WriteMessagesOptions } from '../engine/message-format.ts'
export type { TelemetryMessageJson, TelemetryPartJson } from './types.ts'

/**
 * The messages of spans, by the conventions of OpenTelemetry for generative AI. It reads a list, or the attributes of a span:
 * `gen_ai.system_instructions`, `gen_ai.input.messages` and `gen_ai.output.messages` as values or as JSON text.
 *
 * @example
 * const { value: messages } = openTelemetry.fromMessages(span.attributes)
 */
export const openTelemetry: MessageFormat<typeof NAME, TelemetryMessageJson> =
  /* @__PURE__ */ defineMessageFormat(codec)
