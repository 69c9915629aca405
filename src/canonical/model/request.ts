import type { JsonSchema } from '../../wire/json.ts'
import type { Extra } from './extra.ts'
import type { Message, MessageList } from './message.ts'
import type { Tool, ToolChoice } from './tool.ts'

/** The format of the output. */
export interface OutputFormat {
  /** `json` requests JSON; `text` (default) plain text. */
  readonly type: 'text' | 'json'
  /** The JSON Schema of the output. */
  readonly schema?: JsonSchema
  /** The name of the schema, for providers that require one. Default: `output`. */
  readonly name?: string
  /** The purpose of the output. The model reads it. */
  readonly description?: string
  /** True to bind the output to the schema, if the provider supports it. */
  readonly strict?: boolean
}

/** The amounts of reasoning, in ascending order. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** An amount of reasoning. */
export type Effort = (typeof EFFORTS)[number]

/** The amount of reasoning, and how much of it is returned. */
export interface ReasoningSettings {
  /** True to turn reasoning on, false to turn it off. Default: what the model does. */
  readonly enabled?: boolean
  /** The effort of the model's reasoning. The nearest supported effort is sent. */
  readonly effort?: Effort
  /** The maximum number of reasoning tokens. */
  readonly budgetTokens?: number
  /** True to return readable reasoning. */
  readonly include?: boolean
  /** The kind of summary to return. */
  readonly summary?: 'auto' | 'concise' | 'detailed'
}

export const VERBOSITIES = ['low', 'medium', 'high'] as const

/** A length of answers. */
export type Verbosity = (typeof VERBOSITIES)[number]

/** Requests log probabilities; `top` is the number of alternatives for each token. */
export interface LogprobSettings {
  /** The number of alternatives for each token. Default: none. */
  readonly top?: number
}

/** A request to a model, with the settings that providers share. */
export interface ChatRequest {
  /** The provider's name of the model. */
  readonly model?: string
  /** The conversation, oldest message first. */
  readonly messages: readonly Message[] | MessageList
  /** The tools that the model may call. */
  readonly tools?: readonly Tool[]
  /** Which tools the model may or must call. Default: `auto`. */
  readonly toolChoice?: ToolChoice
  /** False to allow at most one call per response. Default: true. */
  readonly parallelToolCalls?: boolean
  /** The format of the output. Default: text. */
  readonly output?: OutputFormat
  /** Turns reasoning on or off, sets its amount, and selects what is returned of it. */
  readonly reasoning?: ReasoningSettings
  /** The maximum number of output tokens, reasoning included. 0 only fills the prompt cache of Anthropic. */
  readonly maxOutputTokens?: number
  /** The sampling temperature. Most providers accept 0 to 2; Claude 0 to 1. */
  readonly temperature?: number
  /** Samples from the most likely tokens with this total probability (0 to 1). */
  readonly topP?: number
  /** Samples from this many most likely tokens. */
  readonly topK?: number
  /** Texts at which the model stops. */
  readonly stop?: readonly string[]
  /** Makes sampling repeatable, as far as the provider supports it. */
  readonly seed?: number
  /** Penalizes tokens that occurred before (-2 to 2). */
  readonly presencePenalty?: number
  /** Penalizes tokens by how often they occurred before (-2 to 2). */
  readonly frequencyPenalty?: number
  /** The number of candidates. Default: 1. */
  readonly candidateCount?: number
  /** Requests log probabilities of the output tokens. */
  readonly logprobs?: LogprobSettings
  /** True to stream the response. `model.stream` and `model.generate` set it. */
  readonly stream?: boolean
  /** The end user for whom the request is made. */
  readonly user?: string
  /** Labels that the provider stores with the request. Unlike the metadata of messages, they are sent. */
  readonly metadata?: { readonly [key: string]: string }
  /** The length of answers. Default: `medium`. */
  readonly verbosity?: Verbosity
  /** The processing tier, such as `auto`, `flex` or `priority`; the names are those of the provider. */
  readonly serviceTier?: string
  /** True to let the provider store the response, for example for evaluations or to continue it by its id. */
  readonly store?: boolean
  /** Groups requests with the same prefix, such as those of one session, so that more of them hit the provider's cache. */
  readonly promptCacheKey?: string
  /** A stable pseudonym of the end user, by which the provider detects abuse. */
  readonly safetyIdentifier?: string
  /** Fields of one wire format, by slot. */
  readonly extra?: Extra
}
