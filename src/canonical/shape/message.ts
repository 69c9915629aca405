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
  type ObjectFields,
  objectShape,
  optional,
  required,
  unionShape,
} from './object.ts'
import { partShapeForContainer } from './part.ts'
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

export const originShape: Shape<Origin> = objectShape<Origin>('Origin', {
  dialect: required(identifierShape),
  provider: optional(stringShape),
  model: optional(stringShape),
  responseId: optional(stringShape, 'response_id'),
  storedDigest: optional(stringShape),
})

const completeUsageShape = objectShape<Usage>('Usage', {
  inputTokens: required(numberShape, 'input_tokens', 'prompt_tokens'),
  outputTokens: required(numberShape, 'output_tokens', 'completion_tokens'),
  totalTokens: required(numberShape, 'total_tokens'),
  cachedInputTokens: optional(numberShape),
  cacheWriteTokens: optional(numberShape),
  reasoningTokens: optional(numberShape),
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

export const finishShape: Shape<Finish> = objectShape<Finish>('Finish', {
  reason: required(enumShape(...FINISH_REASONS)),
  raw: optional(stringShape),
  stopSequence: optional(stringShape, 'stop_sequence'),
})

/** The fields of messages of every role. */
export const messageBaseFields: ObjectFields<MessageBase> = {
  id: required(identifierShape, 'message_uuid'),
  createdAt: optional(timestampShape, 'created_at', 'message_created'),
  parentId: optional(stringShape, 'parent_id'),
  name: optional(stringShape),
  metadata: optional(jsonObjectShape, '_metadata', 'meta'),
  extra: extraField,
}

/** The fields that only assistant messages have. */
export const assistantOnlyFields: ObjectFields<Pick<AssistantMessage, 'origin' | 'usage' | 'finish'>> = {
  origin: optional(originShape),
  usage: optional(usageShape),
  finish: optional(finishShape),
}

const systemMessageShape = objectShape<SystemMessage>('SystemMessage', {
  ...messageBaseFields,
  role: required(enumShape('system', 'developer')),
  content: required(listShape(partShapeForContainer<SystemPart>('system'))),
})

/** The messages of each role in canonical form. */
export const messageShapes: { readonly [role in Role]: Shape<Message> } = {
  system: systemMessageShape,
  developer: systemMessageShape,
  user: objectShape<UserMessage>('UserMessage', {
    ...messageBaseFields,
    role: required(enumShape('user')),
    content: required(listShape(partShapeForContainer<UserPart>('user'))),
  }),
  assistant: objectShape<AssistantMessage>('AssistantMessage', {
    ...messageBaseFields,
    ...assistantOnlyFields,
    role: required(enumShape('assistant')),
    content: required(listShape(partShapeForContainer<AssistantPart>('assistant'))),
  }),
  tool: objectShape<ToolMessage>('ToolMessage', {
    ...messageBaseFields,
    role: required(enumShape('tool')),
    content: required(listShape(partShapeForContainer<ToolPart>('tool'))),
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
