import type { ProviderMetadata as ProviderMetadataJson } from '../ai-sdk-ui/ui-message-chunk.ts'

/** The names of the hints. */
export type UIHintName = 'separate' | 'noStepStart' | 'dynamic' | 'unanswered'

/** A message of `useChat`, as plain JSON. It can be assigned to `UIMessage` of the package `ai`. */
export interface UIMessageJson {
  id: string
  role: 'system' | 'user' | 'assistant'
  metadata?: unknown
  parts: UIMessagePartJson[]
}

/** A part of a message of `useChat`. */
export type UIMessagePartJson =
  | { type: 'text'; text: string; state?: 'streaming' | 'done'; providerMetadata?: ProviderMetadataJson }
  | { type: 'reasoning'; text: string; state?: 'streaming' | 'done'; providerMetadata?: ProviderMetadataJson }
  | {
      type: 'source-url'
      sourceId: string
      url: string
      title?: string
      providerMetadata?: ProviderMetadataJson
    }
  | {
      type: 'source-document'
      sourceId: string
      mediaType: string
      title: string
      filename?: string
      providerMetadata?: ProviderMetadataJson
    }
  | {
      type: 'file'
      mediaType: string
      filename?: string
      url: string
      providerMetadata?: ProviderMetadataJson
    }
  | { type: 'step-start' }
  | { type: `data-${string}`; id?: string; data: unknown }
  | ({ type: `tool-${string}`; toolCallId: string; providerExecuted?: boolean } & ToolStateJson)
  | ({
      type: 'dynamic-tool'
      toolName: string
      toolCallId: string
      providerExecuted?: boolean
    } & ToolStateJson)

/** The states of a tool call that are written; reading accepts every state of versions 4 to 7. */
type ToolStateJson =
  | { state: 'input-available'; input: unknown; callProviderMetadata?: ProviderMetadataJson }
  | {
      state: 'output-available'
      input: unknown
      output: unknown
      callProviderMetadata?: ProviderMetadataJson
    }
  | { state: 'output-error'; input: unknown; errorText: string; callProviderMetadata?: ProviderMetadataJson }
