/**
 * The names of the hints: `id` is the id of a reasoning or tool message, `answer` marks an answer after reasoning even if it is
 * empty, and `parts` is content that is a list, although it is one text.
 */
export type AgUiHintName = 'id' | 'answer' | 'parts'

type MetadataJson = { [key: string]: unknown }

type SourceJson =
  | { type: 'data'; value: string; mimeType: string }
  | { type: 'url'; value: string; mimeType?: string }
  | { type: 'file'; value: string; provider?: string; mimeType?: string }

/** A content part of a user or tool message. */
export type AgUiPartJson =
  | { type: 'text'; text: string; metadata?: MetadataJson }
  | { type: 'image' | 'audio' | 'video' | 'document'; source: SourceJson; metadata?: MetadataJson }

/** A tool call of an assistant message. */
export type AgUiToolCallJson = {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
  encryptedValue?: string
  metadata?: MetadataJson
}

/** A message of AG-UI, as plain JSON: `Message` of the package `@ag-ui/core`. */
export type AgUiMessageJson = { id: string; encryptedValue?: string; metadata?: MetadataJson } & (
  | { role: 'system' | 'developer'; content: string; name?: string }
  | { role: 'user'; content: string | AgUiPartJson[]; name?: string }
  | { role: 'assistant'; content?: string; toolCalls?: AgUiToolCallJson[]; name?: string }
  | { role: 'tool'; toolCallId: string; content: string | AgUiPartJson[]; error?: string }
  | { role: 'reasoning'; content: string }
)
