import type { JsonSchema } from '../../wire/json.ts'
import type { Extra } from './extra.ts'
import type { Message, MessageList } from './message.ts'
import type { Tool, ToolChoice } from './tool.ts'

/** The format of the output. */
export interface OutputFormat {
  readonly type: 'text' | 'json'
  readonly schema?: JsonSchema
  readonly name?: string
  readonly strict?: boolean
}

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** An amount of reasoning. */
export type Effort = (typeof EFFORTS)[number]

/** The amount of reasoning, and how much of it is returned. */
export interface ReasoningSettings {
  readonly enabled?: boolean
  readonly effort?: Effort
  readonly budgetTokens?: number
  /** True to return readable reasoning. */
  readonly include?: boolean
  readonly summary?: 'auto' | 'concise' | 'detailed'
}

/** Requests log probabilities; `top` is the number of alternatives for each token. */
export interface LogprobSettings {
  readonly top?: number
}

/** A request to a model, with the settings that providers share. */
export interface ChatRequest {
  readonly model?: string
  readonly messages: readonly Message[] | MessageList
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly parallelToolCalls?: boolean
  readonly output?: OutputFormat
  readonly reasoning?: ReasoningSettings
  readonly maxOutputTokens?: number
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly stop?: readonly string[]
  readonly seed?: number
  readonly presencePenalty?: number
  readonly frequencyPenalty?: number
  readonly candidateCount?: number
  readonly logprobs?: LogprobSettings
  readonly stream?: boolean
  /** The end user for whom the request is made. */
  readonly user?: string
  /** Labels that the provider stores with the request. Unlike the metadata of messages, they are sent. */
  readonly metadata?: { readonly [key: string]: string }
  readonly extra?: Extra
}
