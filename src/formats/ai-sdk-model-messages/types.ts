import type { ProviderMetadata as ProviderOptionsJson } from '../ai-sdk-ui/ui-message-chunk.ts'

/**
 * The names of the hints: `textContent` is content that is a text, `imagePart` is an image that is not a file part, `reference` is
 * an item with `providerReference`.
 */
export type ModelHintName = 'textContent' | 'imagePart' | 'reference'

type TextJson = { type: 'text'; text: string; providerOptions?: ProviderOptionsJson }

type FileJson = {
  type: 'file'
  data: string
  mediaType: string
  filename?: string
  providerOptions?: ProviderOptionsJson
}

type ToolResultJson = {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: ToolOutputJson
  providerOptions?: ProviderOptionsJson
}

type JsonData = null | string | number | boolean | JsonData[] | { [key: string]: JsonData }

/** An item of a result. Stored files are `file-id` and `image-file-id`. */
type ContentItemJson =
  | { type: 'text'; text: string; providerOptions?: ProviderOptionsJson }
  | { type: 'image-data'; data: string; mediaType: string; providerOptions?: ProviderOptionsJson }
  | { type: 'image-url' | 'file-url'; url: string; providerOptions?: ProviderOptionsJson }
  | {
      type: 'image-file-id' | 'file-id'
      fileId: string | { [provider: string]: string }
      providerOptions?: ProviderOptionsJson
    }
  | {
      type: 'file-data'
      data: string
      mediaType: string
      filename?: string
      providerOptions?: ProviderOptionsJson
    }

type ToolOutputJson =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json'; value: JsonData }
  | { type: 'content'; value: ContentItemJson[] }

/** A message of `generateText` and `streamText`, as plain JSON: `ModelMessage` of the package `ai`. */
export type ModelMessageJson = { providerOptions?: ProviderOptionsJson } & (
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | (TextJson | FileJson)[] }
  | {
      role: 'assistant'
      content:
        | string
        | (
            | TextJson
            | FileJson
            | ToolResultJson
            | { type: 'reasoning'; text: string; providerOptions?: ProviderOptionsJson }
            | {
                type: 'tool-call'
                toolCallId: string
                toolName: string
                input: unknown
                providerExecuted?: boolean
                providerOptions?: ProviderOptionsJson
              }
          )[]
    }
  | { role: 'tool'; content: ToolResultJson[] }
)
