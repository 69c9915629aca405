import type { MediaPart } from '../../canonical/model/part.ts'
import type { Effort } from '../../canonical/model/request.ts'
import type { RefusableSetting } from '../../canonical/model/capabilities.ts'
import type { SchemaTarget } from '../../schema/schema-subsets.ts'
import type { UserIdRule } from '../engine/fit-user-id.ts'
import type { CallIdRule } from '../shared/call-ids.ts'

/** A message field in which some host sends and accepts reasoning. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'reasoning_details'

/** A value of `response_format.type`. */
type OutputForm = 'text' | 'json_object' | 'json_schema'

/** A setting that OpenAI introduced and most compatible hosts reject or ignore. */
export type OpenaiSetting = 'verbosity' | 'serviceTier' | 'store' | 'promptCacheKey' | 'safetyIdentifier'

/**
 * The deviations of a host from the dialect. A missing field means no known deviation. A host may accept more
 * than its row lists: residue that was received from it is sent back.
 */
export interface OpenAIChatFlavor {
  /** The vendor of all models that the host runs; absent if it runs models of several vendors. */
  readonly vendor?: string
  /** The field that makes the host search the web; absent if it has none. */
  readonly webSearch?: 'web_search_options' | 'plugins'
  /** Wire fields that have another name: OpenAI's name, and the host's. */
  readonly settingNames?: { readonly [usual: string]: string }
  /** Settings that the host rejects or ignores. */
  readonly refusedSettings?: readonly RefusableSetting[]
  /** The host has a field for `topK`. */
  readonly supportsTopK?: true
  /** The settings of OpenAI's own that the host has; default: all. */
  readonly openaiSettings?: readonly OpenaiSetting[]
  /** The highest temperature that the host accepts. */
  readonly maxTemperature?: number
  /** The number of stop sequences that the host accepts. */
  readonly maxStopSequences?: number
  /** A single stop sequence must be in a list. */
  readonly isStopAlwaysList?: true
  /** `logprobs` is the number of likely tokens, not a boolean. */
  readonly isLogprobsCount?: true
  /** The output formats that the host supports; default: all. */
  readonly outputForms?: readonly OutputForm[]
  /** `false` if JSON output and tools cannot be in one request. */
  readonly supportsOutputWithTools?: false
  /** The tool choices that the host supports: all but a list of allowed tools, or only `auto`; default: all. */
  readonly toolChoices?: 'no-list' | 'auto'
  /** The target of tool schemas that are not strict; default: `openai-tools`. */
  readonly toolSchemaTarget?: SchemaTarget
  /** `false` if tools have no `strict` field. */
  readonly supportsStrict?: false
  /** `false` if custom tools (with text instead of arguments) are not supported. */
  readonly supportsCustomTools?: false
  /** `false` if the role `developer` is not supported; `system` is sent instead. */
  readonly supportsDeveloperRole?: false
  /** `false` if messages have no `name` field. */
  readonly supportsName?: false
  /** `false` if assistant messages have no `refusal` field; refusals are sent as text. */
  readonly supportsRefusals?: false
  /**
   * The fields in which the host accepts reasoning; reasoning of other hosts is sent in the first. Empty: no
   * reasoning is accepted.
   */
  readonly reasoningFields?: readonly ReasoningField[]
  /** Fields of a body that the host rejects, although some other host accepts them. */
  readonly refusedFields?: readonly string[]
  /** Fields of a message that the host rejects, besides those of reasoning. */
  readonly refusedMessageFields?: readonly string[]
  /**
   * Assistant messages that must contain the reasoning field: all, or those with tool calls. Without reasoning, the field
   * has the filler.
   */
  readonly requiredReasoning?: { readonly messages: 'all' | 'with-calls'; readonly filler: string }
  /** The field that turns reasoning on and off: an object with a type, or a boolean. */
  readonly thinkingSwitch?: 'thinking' | 'enable_thinking'
  /** True if a request may contain the switch or an effort, but not both. */
  readonly isSwitchExclusive?: true
  /** The efforts of models for which the host has values of its own, by their wire names; the first match applies. */
  readonly modelEfforts?: readonly {
    readonly models: RegExp
    readonly efforts: { readonly [effort in Effort]?: string }
  }[]
  /** The field for `reasoning.budgetTokens`. */
  readonly budgetField?: 'thinking_budget'
  /** The media types that user messages may contain; default: all. */
  readonly mediaTypes?: readonly MediaPart['type'][]
  /** Assistant messages may contain the field `images`. */
  readonly supportsImagesField?: true
  /** The host accepts `video_url` parts. */
  readonly supportsVideo?: true
  /** `false` if images must be inline data, not URLs. */
  readonly imageUrls?: false
  /** The messages whose content must be one string: tool results, or all. */
  readonly textOnly?: 'results' | 'everywhere'
  /** The style of the cache markers; default: OpenAI's. */
  readonly cacheStyle?: 'control' | 'none'
  /** The models of which the host caches only what is marked with `cache_control`; default: none. */
  readonly markedCacheModels?: RegExp
  /** The rule for call ids; default: OpenAI's. */
  readonly callIdRule?: CallIdRule
  /**
   * `strict` if an assistant message must separate tool results from a user message, and a final assistant
   * message must be marked as one to continue.
   */
  readonly turnOrder?: 'strict'
  /** The user ids that the host accepts; default: OpenAI's. */
  readonly userIdRule?: UserIdRule
  /** True if the host runs OpenAI's own API, so that facts about models in Chat Completions apply. */
  readonly isOpenaiApi?: true
}

/** The name of the output limit before OpenAI renamed it. */
export const olderSettingNames: { readonly max_completion_tokens: 'max_tokens' } = {
  max_completion_tokens: 'max_tokens',
}

/** Deviations of most hosts other than OpenAI and Azure. */
export const compatibleHost: OpenAIChatFlavor = {
  supportsDeveloperRole: false,
  supportsCustomTools: false,
  cacheStyle: 'none',
  openaiSettings: [],
}
