import { getOwnValue, isObject, readStringOrEmpty } from '../../wire/json.ts'
import {
  anthropicStreamTypes,
  hasAnyKey,
  hasCohereAnswer,
  hasItemWhere,
  hasKeys,
  hasList,
  hasMistralAnswer,
  hasMistralModel,
  hasOpenaiAnswerField,
  hasValue,
  isBedrockEvent,
  isEvery,
  isPlainChatAnswer,
} from './body-predicates.ts'
import type { DialectSigns } from './request-detection-signs.ts'

/** The signs of responses and of the payloads of streams. Of formats with equal certainty, the first one is preferred. */
export const answerDetectionSigns: readonly DialectSigns[] = [
  {
    kind: 'response',
    name: 'openai-chat',
    signs: [
      [0.6, 'has "choices"', hasKeys('choices')],
      [0.4, '"object" is "chat.completion"', hasValue('object', 'chat.completion')],
    ],
    counterSigns: [[0.8, hasValue('object', 'chat.completion.chunk')]],
  },
  {
    kind: 'response',
    name: 'openai-responses',
    signs: [
      [0.6, '"object" is "response"', hasValue('object', 'response')],
      [0.4, '"output" is a list', hasList('output')],
    ],
  },
  {
    kind: 'response',
    name: 'anthropic',
    signs: [
      [0.6, '"type" is "message"', hasValue('type', 'message')],
      [0.4, 'has "stop_reason"', (value) => Object.hasOwn(value, 'stop_reason')],
    ],
  },
  {
    kind: 'response',
    name: 'gemini',
    signs: [
      [0.6, 'has "candidates"', hasKeys('candidates')],
      [0.4, 'has a field that only gemini has', hasAnyKey('usageMetadata', 'modelVersion', 'promptFeedback')],
    ],
  },
  {
    kind: 'response',
    name: 'ollama',
    signs: [
      [0.5, 'has "done"', hasValue('done', true, false)],
      [0.4, 'has "message" or "response"', hasAnyKey('message', 'response')],
    ],
  },
  {
    kind: 'stream',
    name: 'openai-chat',
    signs: [
      [1, '"object" is "chat.completion.chunk"', hasValue('object', 'chat.completion.chunk')],
      [0.7, 'a choice has "delta"', hasItemWhere('choices', hasKeys('delta'))],
    ],
  },
  {
    kind: 'stream',
    name: 'openai-responses',
    signs: [
      [
        0.9,
        '"type" starts with "response."',
        (value) => readStringOrEmpty(getOwnValue(value, 'type')).startsWith('response.'),
      ],
    ],
  },
  {
    kind: 'stream',
    name: 'anthropic',
    signs: [[0.9, '"type" is an event of anthropic', hasValue('type', ...anthropicStreamTypes)]],
  },
  { kind: 'stream', name: 'ollama', signs: [[1, '"done" is false', hasValue('done', false)]] },
  {
    kind: 'response',
    name: 'mistral',
    signs: [
      [0.6, 'has "choices"', hasKeys('choices')],
      [0.4, '"object" is "chat.completion"', hasValue('object', 'chat.completion')],
      [0.3, 'a message has a chunk that only mistral has', hasItemWhere('choices', hasMistralAnswer)],
      [0.2, 'has the name of a model of Mistral', hasMistralModel],
    ],
    counterSigns: [
      [0.8, hasValue('object', 'chat.completion.chunk')],
      [0.3, hasOpenaiAnswerField],
      [0.2, isPlainChatAnswer],
    ],
  },
  {
    kind: 'stream',
    name: 'mistral',
    signs: [
      [1, '"object" is "chat.completion.chunk"', hasValue('object', 'chat.completion.chunk')],
      [0.7, 'a choice has "delta"', hasItemWhere('choices', hasKeys('delta'))],
      [0.3, 'a delta has a field that only mistral has', hasItemWhere('choices', hasMistralAnswer)],
      [0.2, 'has the name of a model of Mistral', hasMistralModel],
    ],
    counterSigns: [
      [0.3, hasOpenaiAnswerField],
      [1, isPlainChatAnswer],
    ],
  },
  {
    kind: 'response',
    name: 'gemini-interactions',
    signs: [
      [0.7, '"object" is "interaction"', hasValue('object', 'interaction')],
      [0.5, '"steps" is a list', isEvery(hasList('steps'), hasKeys('status'))],
    ],
  },
  {
    kind: 'stream',
    name: 'gemini-interactions',
    signs: [
      [
        0.9,
        '"event_type" is an event of an interaction',
        (value) => /^(?:interaction|step)\./.test(readStringOrEmpty(getOwnValue(value, 'event_type'))),
      ],
    ],
  },
  {
    kind: 'response',
    name: 'bedrock',
    signs: [
      [
        0.6,
        '"output" contains a message',
        (value) => {
          const output = getOwnValue(value, 'output')
          return isObject(output) && isObject(getOwnValue(output, 'message'))
        },
      ],
      [0.4, 'has "stopReason"', hasKeys('stopReason')],
    ],
  },
  {
    kind: 'stream',
    name: 'bedrock',
    signs: [[1, 'the only field is an event of bedrock', isBedrockEvent]],
  },
  {
    kind: 'response',
    name: 'cohere',
    signs: [[0.9, 'has "message" and a "finish_reason" of cohere', hasCohereAnswer]],
  },
  {
    kind: 'stream',
    name: 'cohere',
    signs: [
      [
        1,
        '"type" is an event of cohere',
        (value) =>
          /^(?:message|content|tool-call|citation)-(?:start|end)$|^(?:content|tool-call|tool-plan)-delta$/.test(
            readStringOrEmpty(getOwnValue(value, 'type')),
          ),
      ],
    ],
  },
]
