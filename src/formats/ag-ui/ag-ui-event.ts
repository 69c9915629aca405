import type { Json } from '../../wire/json.ts'

/** The metadata of an event by owner; the library uses the key `interlingua`. */
export type AgUiMetadata = { [key: string]: unknown }

/** The location of the bytes of a media part. */
export type AgUiSource =
  | { type: 'data'; value: string; mimeType: string }
  | { type: 'url'; value: string; mimeType?: string }
  | { type: 'file'; value: string; provider?: string; mimeType?: string }

/** One content part of a tool result. */
export type AgUiContentPart =
  | { type: 'text'; text: string; metadata?: AgUiMetadata }
  | { type: 'image' | 'audio' | 'video' | 'document'; source: AgUiSource; metadata?: AgUiMetadata }

/** The tokens that one model of one provider used. */
export interface AgUiTokenUsage {
  provider?: string
  model?: string
  inputTokens?: number
  outputTokens?: number
  totalTokens?: number
  reasoningTokens?: number
  cachedInputTokens?: number
  cacheWriteInputTokens?: number
}

/**
 * A call that waits for approval. A client answers with an entry of `resume` whose payload is `{ approved, reason? }`.
 */
export interface AgUiInterrupt {
  id: string
  reason: string
  toolCallId?: string
  responseSchema?: { [key: string]: unknown }
}

/** The outcome of a run that did not fail. */
export type AgUiOutcome =
  | { type: 'success'; pendingToolCallIds?: string[] }
  | { type: 'interrupt'; interrupts: AgUiInterrupt[] }
  | { type: 'cancelled' }

/** One event of the AG-UI protocol, version 1.0; only the events that a response needs. */
export type AgUiEvent = { metadata?: AgUiMetadata } & (
  | { type: 'RUN_STARTED'; threadId: string; runId: string; parentRunId?: string }
  | { type: 'RUN_FINISHED'; threadId: string; runId: string; outcome?: AgUiOutcome; usage?: AgUiTokenUsage[] }
  | { type: 'RUN_ERROR'; message: string; code?: string; usage?: AgUiTokenUsage[] }
  | { type: 'STEP_STARTED'; stepName: string }
  | { type: 'STEP_FINISHED'; stepName: string }
  | { type: 'TEXT_MESSAGE_START'; messageId: string; role: 'assistant'; name?: string }
  | { type: 'TEXT_MESSAGE_CONTENT'; messageId: string; delta: string }
  | { type: 'TEXT_MESSAGE_END'; messageId: string }
  | { type: 'TOOL_CALL_START'; toolCallId: string; toolCallName: string; parentMessageId?: string }
  | { type: 'TOOL_CALL_ARGS'; toolCallId: string; delta: string }
  | { type: 'TOOL_CALL_END'; toolCallId: string }
  | {
      type: 'TOOL_CALL_RESULT'
      messageId: string
      toolCallId: string
      role: 'tool'
      content: string | AgUiContentPart[]
    }
  | { type: 'REASONING_START'; messageId: string }
  | { type: 'REASONING_MESSAGE_START'; messageId: string; role: 'reasoning' }
  | { type: 'REASONING_MESSAGE_CONTENT'; messageId: string; delta: string }
  | { type: 'REASONING_MESSAGE_END'; messageId: string }
  | { type: 'REASONING_END'; messageId: string }
  | {
      type: 'REASONING_ENCRYPTED_VALUE'
      subtype: 'message' | 'tool-call'
      entityId: string
      encryptedValue: string
    }
  | { type: 'RAW'; event: Json; source?: string }
  | { type: 'CUSTOM'; name: string; value: Json }
)
