import type { OptionNames } from '../../wire/check-options.ts'
import type { Effort } from './request.ts'

/** Settings that some models or hosts refuse. */
export type RefusableSetting =
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

/**
 * Facts about a model that decide which requests it accepts. An absent fact restricts nothing.
 *
 * @example
 * dialects.anthropic.encodeRequest(request, { capabilities: { prefill: false } })
 */
export interface Capabilities {
  /** Settings that the model refuses. */
  readonly refusedSettings?: readonly RefusableSetting[]
  /** Settings that the model refuses while it reasons. */
  readonly refusedWhileThinking?: readonly RefusableSetting[]
  /**
   * When the model reasons: unless reasoning is disabled (the default), if the request sets an effort, or if the request
   * enables reasoning or asks for its text.
   */
  readonly thinkingDefault?: 'unless-off' | 'by-effort' | 'when-on'
  /** True if the model continues an assistant message at the end of the conversation; some do only without reasoning. */
  readonly prefill?: boolean | 'without-thinking'
  /** True if a request can force a tool call; some models accept that only without a reasoning budget. */
  readonly forcedTools?: boolean | 'without-budget'
  /** The reasoning modes of the model: the model decides how much, a token budget, or no reasoning. */
  readonly thinkingModes?: readonly ('adaptive' | 'budget' | 'off')[]
  /** The smallest reasoning budget. The budget counts towards `maxOutputTokens`. */
  readonly minBudgetTokens?: number
  /** The vendor whose signed reasoning must start a tool loop when the request sets a reasoning budget. */
  readonly reasoningVendor?: string
  /** The efforts that the model accepts, in ascending order; an empty list if it accepts none. */
  readonly efforts?: readonly Effort[]
}

/** Capabilities that also decide how an agent asks the model. An absent fact means that the model supports it. */
export interface ModelCapabilities extends Capabilities {
  /** True if the model calls tools. */
  readonly supportsTools?: boolean
  /** True if the output can be constrained by a schema. */
  readonly supportsOutputSchema?: boolean
  /** True if one request can contain both an output schema and tools. */
  readonly supportsOutputWithTools?: boolean
}

/** The names of all capabilities, for checks of options. */
export const CAPABILITY_NAMES: OptionNames<ModelCapabilities> = {
  refusedSettings: true,
  refusedWhileThinking: true,
  thinkingDefault: true,
  prefill: true,
  forcedTools: true,
  thinkingModes: true,
  minBudgetTokens: true,
  reasoningVendor: true,
  efforts: true,
  supportsTools: true,
  supportsOutputSchema: true,
  supportsOutputWithTools: true,
}
