import {
  hasAnyKey,
  hasBedrockMessage,
  hasCohereField,
  hasCohereModel,
  hasContentType,
  hasInputSchema,
  hasInteractionStep,
  hasItemWhere,
  hasKeys,
  hasList,
  hasMistralMessage,
  hasMistralModel,
  hasMistralSetting,
  hasObject,
  hasOllamaMessage,
  hasOllamaSetting,
  hasOpenaiRole,
  hasToolCalls,
  hasValue,
  interactionsOnlySettings,
  isAny,
  isEvery,
  isInteractionContent,
  isNot,
  responsesOnlySettings,
  type ObjectTest,
} from './body-predicates.ts'

/** The kinds of input that can be detected; `stored` is the stored form of this library. */
export type DetectedInputKind = 'request' | 'response' | 'stream' | 'stored'

/** The signs of one kind of input of one dialect. */
export interface DialectSigns {
  readonly kind: DetectedInputKind
  readonly name: string
  /** Tests that count for the format, and the evidence that each one adds. */
  readonly signs: readonly (readonly [weight: number, evidence: string, test: ObjectTest])[]
  /** Tests that count against the format: fields that only another format or kind has. */
  readonly counterSigns?: readonly (readonly [weight: number, test: ObjectTest])[]
}

/** The signs that requests of openai-chat and mistral share. */
const chatRequestSigns: DialectSigns['signs'] = [
  [0.4, 'has "messages"', hasKeys('messages')],
  [0.4, 'a message has the role "developer", "tool" or "function"', hasOpenaiRole],
  [0.2, 'a message has the role "system"', hasItemWhere('messages', hasValue('role', 'system'))],
  [0.4, 'a message has "tool_calls"', hasToolCalls],
  [0.3, 'a tool has "function"', hasItemWhere('tools', hasKeys('function'))],
]

const chatRequestCounterSigns: readonly (readonly [weight: number, test: ObjectTest])[] = [
  [0.5, hasKeys('system')],
  [0.5, hasKeys('messages', 'options')],
  [0.5, hasOllamaSetting],
  [0.5, hasInputSchema],
]

/** The signs of requests and of the stored form. Of formats with equal certainty, the first one is preferred. */
export const requestDetectionSigns: readonly DialectSigns[] = [
  {
    kind: 'stored',
    name: 'interlingua',
    signs: [[1, '"interlingua" contains a version', hasKeys('interlingua')]],
  },
  {
    kind: 'request',
    name: 'openai-chat',
    signs: [
      ...chatRequestSigns,
      [
        0.2,
        'has a setting that only openai-chat has',
        hasAnyKey(
          'max_completion_tokens',
          'n',
          'response_format',
          'frequency_penalty',
          'logprobs',
          'seed',
          'stream_options',
        ),
      ],
    ],
    counterSigns: [
      ...chatRequestCounterSigns,
      // No message of openai-chat has such a field, whatever else the formats share.
      [1.3, hasOllamaMessage],
      [0.4, hasContentType('tool_use', 'tool_result', 'thinking')],
    ],
  },
  {
    kind: 'request',
    name: 'anthropic',
    signs: [
      [0.4, 'has "messages"', hasKeys('messages')],
      [0.1, 'has "max_tokens", which anthropic requires', hasKeys('messages', 'max_tokens')],
      [0.4, 'has "system"', hasKeys('messages', 'system')],
      [0.4, 'a tool has "input_schema"', hasInputSchema],
      [
        0.3,
        'has a setting that only anthropic has',
        hasAnyKey('stop_sequences', 'thinking', 'output_config', 'anthropic_version'),
      ],
      [
        0.4,
        'a message has a content block that only anthropic has',
        hasContentType('tool_use', 'tool_result', 'thinking', 'document', 'server_tool_use'),
      ],
    ],
    counterSigns: [
      [0.5, hasOpenaiRole],
      [0.5, hasToolCalls],
    ],
  },
  {
    kind: 'request',
    name: 'gemini',
    signs: [
      [0.7, 'has "contents"', hasKeys('contents')],
      [0.3, 'a content has "parts"', hasItemWhere('contents', hasKeys('parts'))],
    ],
  },
  {
    kind: 'request',
    name: 'openai-responses',
    signs: [
      [0.5, 'has "input"', hasKeys('input')],
      [0.4, '"input" contains conversation items', hasItemWhere('input', hasAnyKey('role', 'type'))],
      [0.4, 'has a stored "prompt"', hasObject('prompt')],
      [
        0.3,
        'has a setting that only openai-responses has',
        isEvery(hasKeys('input'), hasAnyKey(...responsesOnlySettings)),
      ],
    ],
    counterSigns: [
      [0.8, hasInteractionStep],
      [0.5, hasAnyKey(...interactionsOnlySettings)],
      [0.4, hasItemWhere('input', isInteractionContent)],
    ],
  },
  {
    kind: 'request',
    name: 'ollama',
    signs: [
      [0.3, 'has "messages"', hasKeys('messages')],
      [0.4, 'has "options"', hasKeys('messages', 'options')],
      [0.7, 'a message has a field that only ollama has', hasOllamaMessage],
      [0.3, 'has a setting that only ollama has', hasOllamaSetting],
    ],
    counterSigns: [[0.3, hasItemWhere('messages', hasList('content'))]],
  },
  {
    kind: 'request',
    name: 'mistral',
    signs: [
      ...chatRequestSigns,
      [0.5, 'a message has a chunk that only mistral has', hasMistralMessage],
      [0.5, 'has a setting that only mistral has', hasMistralSetting],
      [0.3, 'has the name of a model of Mistral', hasMistralModel],
    ],
    counterSigns: [
      ...chatRequestCounterSigns,
      [0.5, hasAnyKey('max_completion_tokens', 'stream_options', 'seed', 'logprobs')],
      // Mistral accepts arguments that are objects, as Ollama does.
      [1.3, isEvery(hasOllamaMessage, isNot(hasMistralModel))],
      [0.1, isNot(isAny(hasMistralMessage, hasMistralSetting, hasMistralModel))],
    ],
  },
  {
    kind: 'request',
    name: 'gemini-interactions',
    signs: [
      [0.3, 'has "input"', hasKeys('input')],
      [0.7, '"input" contains steps of an interaction', hasInteractionStep],
      [0.4, '"input" contains contents without a role', hasItemWhere('input', isInteractionContent)],
      [
        0.6,
        'has a setting that only gemini-interactions has',
        isEvery(hasKeys('input'), hasAnyKey(...interactionsOnlySettings)),
      ],
    ],
    counterSigns: [[0.5, hasAnyKey(...responsesOnlySettings)]],
  },
  {
    kind: 'request',
    name: 'bedrock',
    signs: [
      [0.4, 'has "messages"', hasKeys('messages')],
      [0.7, 'a message has a content block that only bedrock has', hasBedrockMessage],
      [
        0.6,
        'has a setting that only bedrock has',
        hasAnyKey('inferenceConfig', 'toolConfig', 'additionalModelRequestFields', 'guardrailConfig'),
      ],
    ],
    counterSigns: [
      // Other formats have content blocks with a type, or text.
      [0.4, isNot(isAny(hasBedrockMessage, hasKeys('inferenceConfig')))],
      [0.5, hasOpenaiRole],
    ],
  },
  {
    kind: 'request',
    name: 'cohere',
    signs: [
      ...chatRequestSigns,
      [0.9, 'has a setting or a message that only cohere has', hasCohereField],
      [0.5, 'has a setting that few other formats have', hasKeys('messages', 'k')],
      [0.5, 'has a setting that few other formats have', hasKeys('messages', 'p')],
      [0.5, 'has "documents"', hasKeys('messages', 'documents')],
      [0.5, 'has the name of a model of Cohere', hasCohereModel],
    ],
    counterSigns: [
      ...chatRequestCounterSigns,
      [0.3, isNot(isAny(hasCohereField, hasAnyKey('k', 'p', 'documents'), hasCohereModel))],
      [0.5, hasAnyKey('max_completion_tokens', 'stream_options', 'top_p', 'random_seed')],
      [1.3, hasOllamaMessage],
    ],
  },
]
