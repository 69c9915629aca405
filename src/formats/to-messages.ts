import { ON_LOSS_CHOICES } from '../canonical/losses/create-loss.ts'
import { checkOptions } from '../wire/check-options.ts'
import type { Translation } from '../canonical/model/loss.ts'
import type { Message } from '../canonical/model/message.ts'
import type { JsonObject } from '../wire/json.ts'
import type { AgUiMessageJson } from './ag-ui-messages/types.ts'
import type { ModelMessageJson } from './ai-sdk-model-messages/types.ts'
import type { UIMessageJson } from './ai-sdk-ui-messages/types.ts'
import type { DartanticMessageJson } from './dartantic/types.ts'
import { defineMessageFormat, type WriteMessagesOptions } from './engine/message-format.ts'
import type { WrittenConversations } from './from-conversations.ts'
import { throwUnknownName } from './from-messages.ts'
import type { InstructorMessageJson } from './instructor-php/types.ts'
import type { StoredMessageJson } from './langchain/types.ts'
import type { LarAgentMessageJson } from './laragent/types.ts'
import type { MsgIoMessageJson } from './llm-msg-io/types.ts'
import type { MastraMessageJson } from './mastra/types.ts'
import type { McpMessageJson } from './mcp/types.ts'
import { messageFormatCodecs, type WritableFormatName } from './message-formats.ts'
import type { NeuronMessageJson } from './neuron-ai/types.ts'
import type { AgentItemJson } from './openai-agents/types.ts'
import type { TelemetryMessageJson } from './opentelemetry/types.ts'
import type { PiMessageJson } from './pi/types.ts'
import type { PydanticMessageJson } from './pydantic-ai/types.ts'
import { withTypedErrors } from '../wire/typed-errors.ts'

/** Options of {@link toMessages}. */
export interface ToMessagesOptions<
  Name extends WritableFormatName = WritableFormatName,
> extends WriteMessagesOptions {
  /** The format to write. */
  readonly to: Name
}

/** The type of a written message by format; plain JSON for formats without a type of their own. */
interface WrittenMessages extends WrittenConversations {
  readonly pi: PiMessageJson
  readonly mcp: McpMessageJson
  readonly opentelemetry: TelemetryMessageJson
  readonly mastra: MastraMessageJson
  readonly 'pydantic-ai': PydanticMessageJson
  readonly 'openai-agents': AgentItemJson
  readonly 'ag-ui-messages': AgUiMessageJson
  readonly 'ai-sdk-ui-messages': UIMessageJson
  readonly 'ai-sdk-model-messages': ModelMessageJson
  readonly dartantic: DartanticMessageJson
  readonly 'instructor-php': InstructorMessageJson
  readonly langchain: StoredMessageJson
  readonly laragent: LarAgentMessageJson
  readonly 'llm-msg-io': MsgIoMessageJson
  readonly 'neuron-ai': NeuronMessageJson
}

/** The type of a message of a format. */
export type WrittenMessage<Name extends WritableFormatName> = Name extends keyof WrittenMessages
  ? WrittenMessages[Name]
  : JsonObject

/**
 * Writes messages in the format of another library or in a wire format, as plain JSON. What the format has no field for is
 * reported; messages that were read from the same format are restored as they were.
 *
 * @example
 * const { value, losses } = toMessages(messages, { to: 'ai-sdk-ui-messages' })
 */
export function toMessages<Name extends WritableFormatName>(
  messages: Iterable<Message>,
  given: ToMessagesOptions<Name>,
): Translation<WrittenMessage<Name>[]> {
  return withTypedErrors(() => {
    checkOptions<ToMessagesOptions<WritableFormatName>>('toMessages()', given, {
      to: true,
      onLoss: ON_LOSS_CHOICES,
    })
    const { to, ...options } = given
    const codec = Object.hasOwn(messageFormatCodecs, to)
      ? messageFormatCodecs[to]
      : throwUnknownName('to', to)
    return defineMessageFormat<string, WrittenMessage<Name>>(codec).toMessages(messages, options)
  }, [messages, given])
}
