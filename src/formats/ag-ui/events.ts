import type { Json } from '../../wire/json.ts'

/** The metadata of an event by owner; the library uses the key `interlingua`. */
export type AgUiMetadata = { [key: string]: unknown }

interface EventBase {
  metadata?: AgUiMetadata
}

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

/** The outcome of a run that did not fail. */
export type AgUiOutcome = { type: 'success'; pendingToolCallIds?: string[] } | { type: 'cancelled' }

interface MessageEvent extends EventBase {
  messageId: string
}

interface ToolCallEvent extends EventBase {
  toolCallId: string
}

/** One event of the AG-UI protocol, version 1.0; only the events that a response needs. */
export type AgUiEvent =
  | ({ type: 'RUN_STARTED'; threadId: string; runId: string; parentRunId?: string } & EventBase)
  | ({
      type: 'RUN_FINISHED'
      threadId: string
      runId: string
      outcome?: AgUiOutcome
      usage?: AgUiTokenUsage[]
    } & EventBase)
  | ({ type: 'RUN_ERROR'; message: string; code?: string; usage?: AgUiTokenUsage[] } & EventBase)
  | ({ type: 'STEP_STARTED'; stepName: string } & EventBase)
  | ({ type: 'STEP_FINISHED'; stepName: string } & EventBase)
  | ({ type: 'TEXT_MESSAGE_START'; role: 'assistant'; name?: string } & MessageEvent)
  | ({ type: 'TEXT_MESSAGE_CONTENT'; delta: string } & MessageEvent)
  | ({ type: 'TEXT_MESSAGE_END' } & MessageEvent)
  | ({ type: 'TOOL_CALL_START'; toolCallName: string; parentMessageId?: string } & ToolCallEvent)
  | ({ type: 'TOOL_CALL_ARGS'; delta: string } & ToolCallEvent)
  | ({ type: 'TOOL_CALL_END' } & ToolCallEvent)
  | ({
      type: 'TOOL_CALL_RESULT'
      messageId: string
      role: 'tool'
      content: string | AgUiContentPart[]
    } & ToolCallEvent)
  | ({ type: 'REASONING_START' } & MessageEvent)
  | ({ type: 'REASONING_MESSAGE_START'; role: 'reasoning' } & MessageEvent)
  | ({ type: 'REASONING_MESSAGE_CONTENT'; delta: string } & MessageEvent)
  | ({ type: 'REASONING_MESSAGE_END' } & MessageEvent)
  | ({ type: 'REASONING_END' } & MessageEvent)
  | ({
      type: 'REASONING_ENCRYPTED_VALUE'
      subtype: 'message' | 'tool-call'
      entityId: string
      encryptedValue: string
    } & EventBase)
  | ({ type: 'RAW'; event: Json; source?: string } & EventBase)
  | ({ type: 'CUSTOM'; name: string; value: Json } & EventBase)
