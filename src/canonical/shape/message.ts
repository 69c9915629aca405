import { isObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import {
  FINISH_REASONS,
  type Finish,
  type AssistantMessage,
  type Message,
  type MessageBase,
  type Origin,
  type Role,
  type SystemMessage,
  type ToolMessage,
  type UserMessage,
} from '../model/message.ts'
import type { AssistantPart, SystemPart, ToolPart, UserPart } from '../model/part.ts'
import type { Usage } from '../model/usage.ts'
import {
  adaptableShape,
  extraField,
  type Fields,
  objectShape,
  optional,
  required,
  unionShape,
} from './object.ts'
import { partShapeForPlace } from './part.ts'
import {
  identifierShape,
  jsonObjectShape,
  listShape,
  numberShape,
  readCanonicalValue,
  type Shape,
  stringShape,
  timestampShape,
  enumShape,
} from './shape.ts'

const originShape = objectShape<Origin>('Origin', {
  dialect: required(identifierShape, 'The wire format of the response.'),
  provider: optional(stringShape, 'The provider.'),
  model: optional(stringShape, 'The model.'),
  responseId: optional(stringShape, 'The id of the response at the provider.', 'response_id'),
  storedDigest: optional(
    stringShape,
    'Digest of the conversation that the provider has stored with the response.',
  ),
})

const completeUsageShape = objectShape<Usage>('Usage', {
  inputTokens: required(numberShape, 'Input tokens, including cached ones.', 'input_tokens', 'prompt_tokens'),
  outputTokens: required(
    numberShape,
    'Output tokens, including reasoning.',
    'output_tokens',
    'completion_tokens',
  ),
  totalTokens: required(numberShape, 'Input and output tokens.', 'total_tokens'),
  cachedInputTokens: optional(numberShape, 'Input tokens that were read from a cache.'),
  cacheWriteTokens: optional(numberShape, 'Input tokens that were written to a cache.'),
  reasoningTokens: optional(numberShape, 'Output tokens of reasoning.'),
  extra: extraField,
})

/** Usage of other formats may lack the total. */
export const usageShape: Shape<Usage> = {
  ...completeUsageShape,
  read(value, path, context) {
    const lacksTotal =
      isObject(value) && !Object.hasOwn(value, 'totalTokens') && !Object.hasOwn(value, 'total_tokens')
    if (context.reader.isStrict || !lacksTotal) return completeUsageShape.read(value, path, context)
    const { inputTokens, outputTokens } = completeUsageShape.read({ ...value, totalTokens: 0 }, path, context)
    return completeUsageShape.read({ ...value, totalTokens: inputTokens + outputTokens }, path, context)
  },
}

const finishShape = objectShape<Finish>('Finish', {
  reason: required(enumShape(...FINISH_REASONS), 'The reason why the model stopped.'),
  raw: optional(stringShape, 'The reason in the terms of the provider.'),
  stopSequence: optional(stringShape, 'The stop sequence that ended the text.', 'stop_sequence'),
})

/** The fields of messages of every role. */
export const messageBaseFields: Fields<MessageBase> = {
  id: required(identifierShape, 'Unique id; preserved by every update.', 'message_uuid'),
  createdAt: optional(
    timestampShape,
    'Time of creation; preserved by every update.',
    'created_at',
    'message_created',
  ),
  parentId: optional(stringShape, 'The id of the preceding message.', 'parent_id'),
  name: optional(stringShape, 'The name of the author.'),
  metadata: optional(jsonObjectShape, 'Data of the application; never sent.', '_metadata', 'meta'),
  extra: extraField,
}

/** The fields that only assistant messages have. */
export const assistantOnlyFields: Fields<Pick<AssistantMessage, 'origin' | 'usage' | 'finish'>> = {
  origin: optional(originShape, 'The wire format, provider and model of the message.'),
  usage: optional(usageShape, 'Token counts.'),
  finish: optional(finishShape, 'The reason why the model stopped.'),
}

const ROLE_DESCRIPTION = 'The role of the author.'

const systemMessageShape = objectShape<SystemMessage>('SystemMessage', {
  ...messageBaseFields,
  role: required(enumShape('system', 'developer'), ROLE_DESCRIPTION),
  content: required(listShape(partShapeForPlace<SystemPart>('system')), 'The parts, in order.'),
})

/** The messages of each role in canonical form. */
export const messageShapes: { readonly [role in Role]: Shape<Message> } = {
  system: systemMessageShape,
  developer: systemMessageShape,
  user: objectShape<UserMessage>('UserMessage', {
    ...messageBaseFields,
    role: required(enumShape('user'), ROLE_DESCRIPTION),
    content: required(listShape(partShapeForPlace<UserPart>('user')), 'The parts, in order.'),
  }),
  assistant: objectShape<AssistantMessage>('AssistantMessage', {
    ...messageBaseFields,
    ...assistantOnlyFields,
    role: required(enumShape('assistant'), ROLE_DESCRIPTION),
    content: required(
      listShape(partShapeForPlace<AssistantPart>('assistant')),
      'Text, reasoning and tool calls, in order.',
    ),
  }),
  tool: objectShape<ToolMessage>('ToolMessage', {
    ...messageBaseFields,
    role: required(enumShape('tool'), ROLE_DESCRIPTION),
    content: required(listShape(partShapeForPlace<ToolPart>('tool')), 'One part per tool call.'),
  }),
}

/** Any message. */
export const messageShape: Shape<Message> = adaptableShape(
  'role',
  unionShape<Message>('role', 'unknown-role', messageShapes),
  ({ message }) => message,
)

/** Returns a message in canonical form, checked and frozen; the same object if it already is. */
export function checkAndFreezeMessage<T extends Message>(message: T, path?: Path): T {
  return readCanonicalValue(messageShape, message, path) as T
}
