import { isObject } from '../../wire/json.ts'
import { FINISH_REASONS, type Finish } from '../model/finish.ts'
import type {
  AssistantMessage,
  Message,
  MessageBase,
  Origin,
  Role,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from '../model/message.ts'
import type { AssistantPart, SystemPart, ToolPart, UserPart } from '../model/part.ts'
import type { Usage } from '../model/usage.ts'
import { extraShape, type Fields, objectShape, optional, required, tagged } from './object.ts'
import { partIn } from './part.ts'
import { identifier, jsonObject, list, number, type Shape, string, time, word } from './shape.ts'

const originShape: Shape<Origin> = objectShape<Origin>('Origin', {
  dialect: required(identifier, 'The wire format that the answer came in.'),
  provider: optional(string, 'The host.'),
  model: optional(string, 'The model.'),
  responseId: optional(string, "The host's id of the answer.", 'response_id'),
})

const countedUsage: Shape<Usage> = objectShape<Usage>('Usage', {
  inputTokens: required(number, 'Input, cached included.', 'input_tokens', 'prompt_tokens'),
  outputTokens: required(number, 'Output, reasoning included.', 'output_tokens', 'completion_tokens'),
  totalTokens: required(number, 'Both together.', 'total_tokens'),
  cachedInputTokens: optional(number, 'Of the input: read from a cache.'),
  cacheWriteTokens: optional(number, 'Of the input: written to a cache.'),
  reasoningTokens: optional(number, 'Of the output: reasoning.'),
  extra: optional(extraShape, 'What one wire format adds, by slot.'),
})

/** Usage as others store it may lack the sum. */
export const usageShape: Shape<Usage> = {
  ...countedUsage,
  read(value, at, reading, spare) {
    if (reading.strict || !isObject(value) || hasTotal(value))
      return countedUsage.read(value, at, reading, spare)
    const { inputTokens, outputTokens } = countedUsage.read({ ...value, totalTokens: 0 }, at, reading, spare)
    return countedUsage.read({ ...value, totalTokens: inputTokens + outputTokens }, at, reading, spare)
  },
}

function hasTotal(value: object): boolean {
  return Object.hasOwn(value, 'totalTokens') || Object.hasOwn(value, 'total_tokens')
}

const finishShape: Shape<Finish> = objectShape<Finish>('Finish', {
  reason: required(word(...FINISH_REASONS), 'Why the model stopped.'),
  raw: optional(string, "The provider's own word for it."),
  stopSequence: optional(string, 'The stop sequence that ended the text.', 'stop_sequence'),
})

/** What messages of every role have. */
export const messageBase: Fields<MessageBase> = {
  id: required(identifier, 'Unique; kept by every edit.', 'message_uuid'),
  createdAt: optional(time, 'When it was made; kept by every edit.', 'created_at', 'message_created'),
  parentId: optional(string, 'The message that this one follows.', 'parent_id'),
  name: optional(string, 'Name of who speaks.'),
  metadata: optional(jsonObject, "The application's own; never sent.", '_metadata', 'meta'),
  extra: optional(extraShape, 'What one wire format adds, by slot.'),
}

/** What only answers have. */
export const assistantFields: Fields<Pick<AssistantMessage, 'origin' | 'usage' | 'finish'>> = {
  origin: optional(originShape, 'Who made the answer.'),
  usage: optional(usageShape, 'What it cost in tokens.'),
  finish: optional(finishShape, 'Why the model stopped.'),
}

const systemShape: Shape<SystemMessage> = objectShape<SystemMessage>('SystemMessage', {
  ...messageBase,
  role: required(word('system', 'developer'), 'Who speaks.'),
  content: required(list(partIn<SystemPart>('system')), 'What is said.'),
})

/** The messages of each role in canonical form. */
export const messageShapes: { readonly [role in Role]: Shape<Message> } = {
  system: systemShape,
  developer: systemShape,
  user: objectShape<UserMessage>('UserMessage', {
    ...messageBase,
    role: required(word('user'), 'Who speaks.'),
    content: required(list(partIn<UserPart>('user')), 'What is said.'),
  }),
  assistant: objectShape<AssistantMessage>('AssistantMessage', {
    ...messageBase,
    ...assistantFields,
    role: required(word('assistant'), 'Who speaks.'),
    content: required(list(partIn<AssistantPart>('assistant')), 'Text, reasoning and calls in their order.'),
  }),
  tool: objectShape<ToolMessage>('ToolMessage', {
    ...messageBase,
    role: required(word('tool'), 'Who speaks.'),
    content: required(list(partIn<ToolPart>('tool')), 'A part per answered call.'),
  }),
}

/** Any message in canonical form. */
export const messageShape: Shape<Message> = tagged<Message>('role', messageShapes, 'unknown-role')
