import type { Json } from '../../wire/json.ts'

type MetadataValue = string | number | boolean | null | undefined | { readonly [key: string]: MetadataValue }

/** The metadata of a part by reader: a provider, or `interlingua`. */
export type ProviderMetadata = { [reader: string]: { [key: string]: MetadataValue } }

interface WithMetadata {
  providerMetadata?: ProviderMetadata
}

interface ToolOutputFields extends WithMetadata {
  toolCallId: string
  providerExecuted?: boolean
  dynamic?: boolean
}

/** The fields of a tool call. */
export interface ToolInputFields extends ToolOutputFields {
  toolName: string
}

/** A finish reason of the protocol. */
export type UIFinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'

/** One chunk of the UI message stream, version 1, as `useChat` reads it. */
export type UIMessageChunk =
  | { type: 'start'; messageId?: string; messageMetadata?: unknown }
  | { type: 'start-step' }
  | ({ type: 'text-start'; id: string } & WithMetadata)
  | ({ type: 'text-delta'; id: string; delta: string } & WithMetadata)
  | ({ type: 'text-end'; id: string } & WithMetadata)
  | ({ type: 'reasoning-start'; id: string } & WithMetadata)
  | ({ type: 'reasoning-delta'; id: string; delta: string } & WithMetadata)
  | ({ type: 'reasoning-end'; id: string } & WithMetadata)
  | ({ type: 'tool-input-start' } & ToolInputFields)
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | ({ type: 'tool-input-available'; input: unknown } & ToolInputFields)
  | ({ type: 'tool-input-error'; input: unknown; errorText: string } & ToolInputFields)
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | ({ type: 'tool-output-available'; output: unknown; preliminary?: boolean } & ToolOutputFields)
  | ({ type: 'tool-output-error'; errorText: string } & ToolOutputFields)
  | { type: 'tool-output-denied'; toolCallId: string }
  | ({ type: 'source-url'; sourceId: string; url: string; title?: string } & WithMetadata)
  | ({
      type: 'source-document'
      sourceId: string
      mediaType: string
      title: string
      filename?: string
    } & WithMetadata)
  | ({ type: 'file'; url: string; mediaType: string } & WithMetadata)
  | { type: `data-${string}`; id?: string; data: Json; transient?: boolean }
  | { type: 'message-metadata'; messageMetadata: unknown }
  | { type: 'finish-step' }
  | { type: 'finish'; finishReason?: UIFinishReason; messageMetadata?: unknown }
  | { type: 'abort'; reason?: string }
  | { type: 'error'; errorText: string }
