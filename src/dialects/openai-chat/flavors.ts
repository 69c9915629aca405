import type { MediaPart } from '../../canonical/model/part.ts'
import type { RefusableSetting } from '../../canonical/model/capabilities.ts'
import type { FlavorNames } from '../engine/dialect.ts'
import type { CallIdRule } from '../shared/call-ids.ts'

/** The hosts that speak `openai-chat` with differences of their own. */
export type ChatFlavorName = FlavorNames['openai-chat']

/** A field of an answer in which some host gives and takes thoughts. */
export type ReasoningField = 'reasoning_content' | 'reasoning' | 'reasoning_details'

/** A form of answers that a host can be asked for. */
type OutputForm = 'text' | 'json_object' | 'json_schema'

/**
 * How a host differs from the format that it speaks. What a row does not say is as it is without a flavor: a host may take
 * more than its row needs, and what came from it goes back as it came.
 */
export interface ChatFlavor {
  /** Settings that it calls otherwise: the usual name, and its own. */
  readonly settingNames?: { readonly [usual: string]: string }
  /** Settings that it refuses, or does not follow. */
  readonly refusedSettings?: readonly RefusableSetting[]
  /** Whether it has a field for `topK`. */
  readonly supportsTopK?: true
  /** The highest temperature that it takes. */
  readonly maxTemperature?: number
  /** How many stop sequences it takes. */
  readonly maxStopSequences?: number
  /** Whether a stop sequence always stands in a list. */
  readonly isStopAlwaysList?: true
  /** Whether the number of likely tokens stands in `logprobs` itself. */
  readonly isLogprobsCount?: true
  /** The forms of answers that it knows; default: all. */
  readonly outputForms?: readonly OutputForm[]
  /** What it knows of tool choices: all but a list of allowed tools, or only `auto`. */
  readonly toolChoices?: 'no-list' | 'auto'
  /** Whether tools can be strict. */
  readonly supportsStrict?: false
  /** Whether there are tools that take text. */
  readonly supportsCustomTools?: false
  /** Whether it knows the role `developer`; `system` is said instead. */
  readonly supportsDeveloperRole?: false
  /** Whether speakers can have names. */
  readonly supportsName?: false
  /** Whether answers have a field for refusals; they are said as text instead. */
  readonly supportsRefusals?: false
  /** In which fields it takes thoughts: those of others go to the first; none where the list is empty. */
  readonly reasoningFields?: readonly ReasoningField[]
  /** Whether each answer must have the field of thoughts, if only an empty one. */
  readonly reasoningRequired?: true
  /** The kinds of media that the user can show; default: all of them. */
  readonly mediaTypes?: readonly MediaPart['type'][]
  /** Whether images can be named by an address instead of sent along. */
  readonly imageUrls?: false
  /** Where content must be one text: in results, or everywhere. */
  readonly textOnly?: 'results' | 'everywhere'
  /** The style of its cache markers; default: OpenAI's. */
  readonly cacheStyle?: 'control' | 'none'
  /** How it wants the ids of calls to be. */
  readonly callIdRule?: CallIdRule
  /** Whether the model must speak between results and the user, and an answer that it goes on with must be marked. */
  readonly turnOrder?: 'strict'
}

const olderSettingNames = { max_completion_tokens: 'max_tokens' } as const

/** What only OpenAI's own hosts know. */
const compatibleHost = {
  supportsDeveloperRole: false,
  supportsCustomTools: false,
  cacheStyle: 'none',
} as const

/** The hosts that speak `openai-chat`, and how each of them differs. */
export const flavors: { readonly [name in ChatFlavorName]: ChatFlavor } = {
  azure: { reasoningFields: [] },
  cerebras: {
    ...compatibleHost,
    refusedSettings: ['frequencyPenalty', 'presencePenalty'],
    supportsRefusals: false,
    reasoningFields: ['reasoning'],
  },
  deepseek: {
    ...compatibleHost,
    settingNames: { ...olderSettingNames, user: 'user_id' },
    refusedSettings: ['seed'],
    outputForms: ['text', 'json_object'],
    supportsStrict: false,
    reasoningFields: ['reasoning_content'],
    reasoningRequired: true,
    textOnly: 'everywhere',
  },
  fireworks: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  groq: {
    supportsCustomTools: false,
    cacheStyle: 'none',
    refusedSettings: ['candidateCount', 'frequencyPenalty', 'logprobs', 'metadata', 'presencePenalty'],
    supportsName: false,
    supportsRefusals: false,
    reasoningFields: ['reasoning'],
  },
  'llama.cpp': {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  lmstudio: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    outputForms: ['text', 'json_schema'],
    reasoningFields: [],
  },
  mistral: {
    ...compatibleHost,
    settingNames: { ...olderSettingNames, seed: 'random_seed' },
    refusedSettings: ['logprobs', 'user'],
    maxTemperature: 1.5,
    toolChoices: 'no-list',
    supportsName: false,
    supportsRefusals: false,
    reasoningFields: [],
    callIdRule: { maxLength: 9, isExactLength: true },
    turnOrder: 'strict',
  },
  moonshot: { ...compatibleHost, maxTemperature: 1, reasoningFields: ['reasoning_content'] },
  ollama: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    refusedSettings: ['candidateCount', 'metadata', 'parallelToolCalls', 'user'],
    toolChoices: 'auto',
    supportsStrict: false,
    supportsRefusals: false,
    mediaTypes: ['image', 'audio'],
    imageUrls: false,
    reasoningFields: ['reasoning'],
  },
  openrouter: {
    cacheStyle: 'control',
    supportsTopK: true,
    reasoningFields: ['reasoning', 'reasoning_details'],
  },
  perplexity: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    refusedSettings: ['frequencyPenalty', 'presencePenalty', 'seed', 'stop'],
    reasoningFields: [],
  },
  qwen: {
    ...compatibleHost,
    cacheStyle: 'control',
    settingNames: olderSettingNames,
    refusedSettings: ['frequencyPenalty'],
    supportsTopK: true,
    reasoningFields: ['reasoning_content'],
  },
  together: {
    ...compatibleHost,
    settingNames: olderSettingNames,
    supportsTopK: true,
    isStopAlwaysList: true,
    isLogprobsCount: true,
    reasoningFields: ['reasoning', 'reasoning_content'],
    textOnly: 'results',
  },
  vllm: { ...compatibleHost, supportsTopK: true, reasoningFields: ['reasoning'] },
  xai: {
    ...compatibleHost,
    refusedSettings: ['frequencyPenalty', 'presencePenalty', 'stop'],
    reasoningFields: ['reasoning_content'],
  },
  zai: {
    ...compatibleHost,
    settingNames: { ...olderSettingNames, user: 'user_id' },
    refusedSettings: ['frequencyPenalty', 'presencePenalty', 'seed'],
    maxTemperature: 1,
    maxStopSequences: 1,
    isStopAlwaysList: true,
    outputForms: ['text', 'json_object'],
    toolChoices: 'auto',
    supportsName: false,
    reasoningFields: ['reasoning_content'],
  },
}

const NO_FLAVOR: ChatFlavor = Object.freeze({})

/** How the host that a flavor names differs; a name of another format's flavor says nothing here. */
export function getFlavor({ flavor }: { readonly flavor?: string }): ChatFlavor {
  return flavor !== undefined && Object.hasOwn(flavors, flavor)
    ? flavors[flavor as ChatFlavorName]
    : NO_FLAVOR
}
