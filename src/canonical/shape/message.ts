import { isObject } from '../../wire/json.ts'
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
import { extraShape, type Fields, objectShape, optionalField, requiredField, unionShape } from './object.ts'
import { partShapeFor } from './part.ts'
import {
  identifierShape,
  jsonObjectShape,
  listShape,
  numberShape,
  type Shape,
  stringShape,
  timestampShape,
  enumShape,
} from './shape.ts'

const originShape: Shape<Origin> = objectShape<Origin>('Origin', {
  dialect: requiredField(identifierShape, 'The wire format of the response.'),
  provider: optionalField(stringShape, 'The provider.'),
  model: optionalField(stringShape, 'The model.'),
  responseId: optionalField(stringShape, 'The id of the response at the provider.', 'response_id'),
})

const completeUsageShape: Shape<Usage> = objectShape<Usage>('Usage', {
  inputTokens: requiredField(
    numberShape,
    'Input tokens, including cached ones.',
    'input_tokens',
    'prompt_tokens',
  ),
  outputTokens: requiredField(
    numberShape,
    'Output tokens, including reasoning.',
    'output_tokens',
    'completion_tokens',
  ),
  totalTokens: requiredField(numberShape, 'Input and output tokens.', 'total_tokens'),
  cachedInputTokens: optionalField(numberShape, 'Input tokens that were read from a cache.'),
  cacheWriteTokens: optionalField(numberShape, 'Input tokens that were written to a cache.'),
  reasoningTokens: optionalField(numberShape, 'Output tokens of reasoning.'),
  extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
})

/** Usage of other formats may lack the total. */
export const usageShape: Shape<Usage> = {
  ...completeUsageShape,
  read(value, path, context, unknownKeys) {
    if (context.isStrict || !isObject(value) || hasTotalTokens(value))
      return completeUsageShape.read(value, path, context, unknownKeys)
    const { inputTokens, outputTokens } = completeUsageShape.read(
      { ...value, totalTokens: 0 },
      path,
      context,
      unknownKeys,
    )
    return completeUsageShape.read(
      { ...value, totalTokens: inputTokens + outputTokens },
      path,
      context,
      unknownKeys,
    )
  },
}

function hasTotalTokens(value: object): boolean {
  return Object.hasOwn(value, 'totalTokens') || Object.hasOwn(value, 'total_tokens')
}

const finishShape: Shape<Finish> = objectShape<Finish>('Finish', {
  reason: requiredField(enumShape(...FINISH_REASONS), 'The reason why the model stopped.'),
  raw: optionalField(stringShape, 'The reason in the terms of the provider.'),
  stopSequence: optionalField(stringShape, 'The stop sequence that ended the text.', 'stop_sequence'),
})

/** The fields of messages of every role. */
export const messageBaseFields: Fields<MessageBase> = {
  id: requiredField(identifierShape, 'Unique id; preserved by every update.', 'message_uuid'),
  createdAt: optionalField(
    timestampShape,
    'Time of creation; preserved by every update.',
    'created_at',
    'message_created',
  ),
  parentId: optionalField(stringShape, 'The id of the preceding message.', 'parent_id'),
  name: optionalField(stringShape, 'The name of the author.'),
  metadata: optionalField(jsonObjectShape, 'Data of the application; never sent.', '_metadata', 'meta'),
  extra: optionalField(extraShape, 'Data of wire formats, by slot.'),
}

/** The fields that only assistant messages have. */
export const assistantOnlyFields: Fields<Pick<AssistantMessage, 'origin' | 'usage' | 'finish'>> = {
  origin: optionalField(originShape, 'The wire format, provider and model of the message.'),
  usage: optionalField(usageShape, 'Token counts.'),
  finish: optionalField(finishShape, 'The reason why the model stopped.'),
}

const systemMessageShape: Shape<SystemMessage> = objectShape<SystemMessage>('SystemMessage', {
  ...messageBaseFields,
  role: requiredField(enumShape('system', 'developer'), 'The role of the author.'),
  content: requiredField(listShape(partShapeFor<SystemPart>('system')), 'The parts, in order.'),
})

/** The messages of each role in canonical form. */
export const messageShapes: { readonly [role in Role]: Shape<Message> } = {
  system: systemMessageShape,
  developer: systemMessageShape,
  user: objectShape<UserMessage>('UserMessage', {
    ...messageBaseFields,
    role: requiredField(enumShape('user'), 'The role of the author.'),
    content: requiredField(listShape(partShapeFor<UserPart>('user')), 'The parts, in order.'),
  }),
  assistant: objectShape<AssistantMessage>('AssistantMessage', {
    ...messageBaseFields,
    ...assistantOnlyFields,
    role: requiredField(enumShape('assistant'), 'The role of the author.'),
    content: requiredField(
      listShape(partShapeFor<AssistantPart>('assistant')),
      'Text, reasoning and tool calls, in order.',
    ),
  }),
  tool: objectShape<ToolMessage>('ToolMessage', {
    ...messageBaseFields,
    role: requiredField(enumShape('tool'), 'The role of the author.'),
    content: requiredField(listShape(partShapeFor<ToolPart>('tool')), 'One part per tool call.'),
  }),
}

/** Any message in canonical form. */
export const messageShape: Shape<Message> = unionShape<Message>('role', messageShapes, 'unknown-role')
