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
  dialect: requiredField(identifierShape, 'The wire format that the answer came in.'),
  provider: optionalField(stringShape, 'The host.'),
  model: optionalField(stringShape, 'The model.'),
  responseId: optionalField(stringShape, "The host's id of the answer.", 'response_id'),
})

const completeUsageShape: Shape<Usage> = objectShape<Usage>('Usage', {
  inputTokens: requiredField(numberShape, 'Input, cached included.', 'input_tokens', 'prompt_tokens'),
  outputTokens: requiredField(
    numberShape,
    'Output, reasoning included.',
    'output_tokens',
    'completion_tokens',
  ),
  totalTokens: requiredField(numberShape, 'Both together.', 'total_tokens'),
  cachedInputTokens: optionalField(numberShape, 'Of the input: read from a cache.'),
  cacheWriteTokens: optionalField(numberShape, 'Of the input: written to a cache.'),
  reasoningTokens: optionalField(numberShape, 'Of the output: reasoning.'),
  extra: optionalField(extraShape, 'What one wire format adds, by slot.'),
})

/** Usage as others store it may lack the sum. */
export const usageShape: Shape<Usage> = {
  ...completeUsageShape,
  read(value, path, reading, spare) {
    if (reading.isStrict || !isObject(value) || hasTotalTokens(value))
      return completeUsageShape.read(value, path, reading, spare)
    const { inputTokens, outputTokens } = completeUsageShape.read(
      { ...value, totalTokens: 0 },
      path,
      reading,
      spare,
    )
    return completeUsageShape.read(
      { ...value, totalTokens: inputTokens + outputTokens },
      path,
      reading,
      spare,
    )
  },
}

function hasTotalTokens(value: object): boolean {
  return Object.hasOwn(value, 'totalTokens') || Object.hasOwn(value, 'total_tokens')
}

const finishShape: Shape<Finish> = objectShape<Finish>('Finish', {
  reason: requiredField(enumShape(...FINISH_REASONS), 'Why the model stopped.'),
  raw: optionalField(stringShape, "The provider's own word for it."),
  stopSequence: optionalField(stringShape, 'The stop sequence that ended the text.', 'stop_sequence'),
})

/** What messages of every role have. */
export const messageBaseFields: Fields<MessageBase> = {
  id: requiredField(identifierShape, 'Unique; kept by every edit.', 'message_uuid'),
  createdAt: optionalField(
    timestampShape,
    'When it was made; kept by every edit.',
    'created_at',
    'message_created',
  ),
  parentId: optionalField(stringShape, 'The message that this one follows.', 'parent_id'),
  name: optionalField(stringShape, 'Name of who speaks.'),
  metadata: optionalField(jsonObjectShape, "The application's own; never sent.", '_metadata', 'meta'),
  extra: optionalField(extraShape, 'What one wire format adds, by slot.'),
}

/** What only answers have. */
export const assistantFields: Fields<Pick<AssistantMessage, 'origin' | 'usage' | 'finish'>> = {
  origin: optionalField(originShape, 'Who made the answer.'),
  usage: optionalField(usageShape, 'What it cost in tokens.'),
  finish: optionalField(finishShape, 'Why the model stopped.'),
}

const systemMessageShape: Shape<SystemMessage> = objectShape<SystemMessage>('SystemMessage', {
  ...messageBaseFields,
  role: requiredField(enumShape('system', 'developer'), 'Who speaks.'),
  content: requiredField(listShape(partShapeFor<SystemPart>('system')), 'What is said.'),
})

/** The messages of each role in canonical form. */
export const messageShapes: { readonly [role in Role]: Shape<Message> } = {
  system: systemMessageShape,
  developer: systemMessageShape,
  user: objectShape<UserMessage>('UserMessage', {
    ...messageBaseFields,
    role: requiredField(enumShape('user'), 'Who speaks.'),
    content: requiredField(listShape(partShapeFor<UserPart>('user')), 'What is said.'),
  }),
  assistant: objectShape<AssistantMessage>('AssistantMessage', {
    ...messageBaseFields,
    ...assistantFields,
    role: requiredField(enumShape('assistant'), 'Who speaks.'),
    content: requiredField(
      listShape(partShapeFor<AssistantPart>('assistant')),
      'Text, reasoning and calls in their order.',
    ),
  }),
  tool: objectShape<ToolMessage>('ToolMessage', {
    ...messageBaseFields,
    role: requiredField(enumShape('tool'), 'Who speaks.'),
    content: requiredField(listShape(partShapeFor<ToolPart>('tool')), 'A part per answered call.'),
  }),
}

/** Any message in canonical form. */
export const messageShape: Shape<Message> = unionShape<Message>('role', messageShapes, 'unknown-role')
