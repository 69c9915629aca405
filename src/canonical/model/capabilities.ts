import type { OptionNames } from '../../wire/check-options.ts'
import type { MediaPart } from './part.ts'
import type { Effort } from './request.ts'

/** Settings that some models or hosts refuse. */
export type RefusableSetting =
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'logprobs'
  | 'candidateCount'
  | 'parallelToolCalls'
  | 'metadata'
  | 'user'
  | 'verbosity'

/** A way in which a model reasons: it decides how much, within a token budget, only between tool calls, or not at all. */
export type ThinkingMode = 'adaptive' | 'budget' | 'between-tools' | 'off'

/** What some models refuse in the API of their vendor, although other hosts of the same models may accept it. */
export type RefusableFeature = 'system-text' | 'tools' | 'json-output'

/**
 * Facts about a model that decide which requests it accepts. An absent fact restricts nothing.
 *
 * @example
 * dialects.anthropic.encodeRequest(request, { capabilities: { prefill: false } })
 */
export interface Capabilities {
  /** Settings that the model refuses. */
  readonly refusedSettings?: readonly RefusableSetting[]
  /** What the model refuses: system text, which is sent as user text; function tools; JSON output. */
  readonly refusedFeatures?: readonly RefusableFeature[]
  /** Settings that the model refuses while it reasons. */
  readonly refusedWhileThinking?: readonly RefusableSetting[]
  /** Settings that the model refuses together with the highest of its `efforts`. */
  readonly refusedWithMaxEffort?: readonly RefusableSetting[]
  /**
   * When the model reasons: unless reasoning is disabled (the default), if the request sets an effort, or if the request
   * enables reasoning or asks for its text.
   */
  readonly thinkingDefault?: 'unless-off' | 'by-effort' | 'when-on'
  /** True if the model continues an assistant message at the end of the conversation; some do only without reasoning. */
  readonly prefill?: boolean | 'without-thinking'
  /** True if a request can force a tool call; some models accept that only without a reasoning budget. */
  readonly forcedTools?: boolean | 'without-budget'
  /** The reasoning modes of the model; an empty list if it does not reason. */
  readonly thinkingModes?: readonly ThinkingMode[]
  /** The smallest reasoning budget. The budget counts towards `maxOutputTokens`. */
  readonly minBudgetTokens?: number
  /** The largest reasoning budget. Default: the largest output. */
  readonly maxBudgetTokens?: number
  /** The vendor whose signed reasoning must start a tool loop when the request sets a reasoning budget. */
  readonly reasoningVendor?: string
  /** The efforts that the model accepts, in ascending order; an empty list if it accepts none. */
  readonly efforts?: readonly Effort[]
  /** The highest effort that the model accepts while reasoning is disabled. */
  readonly maxEffortWhenOff?: Effort
  /** The number of tokens that input and output may have together. */
  readonly contextTokens?: number
  /** The highest `maxOutputTokens` that the model accepts. */
  readonly maxOutputTokens?: number
  /** False if a request may contain `temperature` or `topP`, but not both. */
  readonly supportsTopPWithTemperature?: boolean
  /** True if the model accepts system messages after the first user message; otherwise they are sent as marked user text. */
  readonly supportsMidConversationSystem?: boolean
  /** False if content may not contain cache markers. */
  readonly supportsCacheMarkers?: boolean
  /** True if the first tool call of every assistant message must have a signature of the vendor or its placeholder. */
  readonly requiresCallSignatures?: boolean
  /** The kinds of media that the model refuses or ignores; they are described as text. */
  readonly refusedMedia?: readonly MediaPart['type'][]
  /** False if tool results may not contain media; it is sent in a user message after the results. */
  readonly supportsMediaInResults?: boolean
  /** True if the output can be constrained by a schema. */
  readonly supportsOutputSchema?: boolean
  /** True if one request can contain both an output schema and tools. */
  readonly supportsOutputWithTools?: boolean
  /** False if the arguments of tools cannot be bound to their schema. */
  readonly supportsStrictTools?: boolean
  /** The tools that the model accepts in the Chat Completions API: none, or some only with the effort `none`. */
  readonly chatTools?: false | 'without-effort'
  /** The efforts that the model accepts in the Chat Completions API; default: `efforts`. */
  readonly chatEfforts?: readonly Effort[]
  /** Settings that the model refuses in the Chat Completions API only. */
  readonly refusedChatSettings?: readonly RefusableSetting[]
  /** Wire fields without a canonical setting that the model refuses. */
  readonly refusedFields?: readonly string[]
}

/** Capabilities that also decide how an agent asks the model. An absent fact means that the model supports it. */
export interface ModelCapabilities extends Capabilities {
  /** True if the model calls tools. */
  readonly supportsTools?: boolean
}

/** The names of all capabilities, for checks of options. */
export const CAPABILITY_NAMES: OptionNames<ModelCapabilities> = {
  refusedSettings: true,
  refusedFeatures: true,
  refusedWhileThinking: true,
  refusedWithMaxEffort: true,
  thinkingDefault: true,
  prefill: true,
  forcedTools: true,
  thinkingModes: true,
  minBudgetTokens: true,
  maxBudgetTokens: true,
  reasoningVendor: true,
  efforts: true,
  maxEffortWhenOff: true,
  contextTokens: true,
  maxOutputTokens: true,
  supportsTopPWithTemperature: Boolean,
  supportsMidConversationSystem: Boolean,
  supportsCacheMarkers: Boolean,
  requiresCallSignatures: Boolean,
  refusedMedia: true,
  supportsMediaInResults: Boolean,
  supportsTools: Boolean,
  supportsOutputSchema: Boolean,
  supportsOutputWithTools: Boolean,
  supportsStrictTools: Boolean,
  chatTools: true,
  chatEfforts: true,
  refusedChatSettings: true,
  refusedFields: true,
}
