/** The name of the format. */
export const NAME = 'gemini-cli'

/**
 * The types of messages that are part of the conversation; `info`, `error` and `warning` are shown to the user alone. Source:
 * `ConversationRecordExtra` in github.com/google-gemini/gemini-cli (packages/core/src/services/chatRecordingTypes.ts).
 */
export const MESSAGE_TYPES = ['user', 'gemini'] as const

/** The fields of `tokens`, by the names that the API has for them (`recordMessageTokens` in chatRecordingService.ts). */
export const USAGE_FIELDS: readonly (readonly [field: string, wireField: string])[] = [
  ['input', 'promptTokenCount'],
  ['output', 'candidatesTokenCount'],
  ['cached', 'cachedContentTokenCount'],
  ['thoughts', 'thoughtsTokenCount'],
  ['tool', 'toolUsePromptTokenCount'],
  ['total', 'totalTokenCount'],
]

/** The fields of a message that a canonical message has fields for. */
export const MESSAGE_FIELDS = ['id', 'timestamp', 'type', 'content', 'thoughts', 'tokens', 'model'] as const

/** The fields of a tool call that a canonical call and its result have fields for. */
export const CALL_FIELDS = ['id', 'name', 'args', 'result'] as const
