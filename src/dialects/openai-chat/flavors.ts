import type { MediaPart } from '../../canonical/model/part.ts'
import type { Setting } from '../models.ts'
import type { IdRule } from '../shared/ids.ts'

/** The hosts that speak `openai-chat` with differences of their own. */
export type ChatFlavorName =
  | 'azure'
  | 'cerebras'
  | 'deepseek'
  | 'fireworks'
  | 'groq'
  | 'llama.cpp'
  | 'lmstudio'
  | 'mistral'
  | 'moonshot'
  | 'ollama'
  | 'openrouter'
  | 'perplexity'
  | 'qwen'
  | 'together'
  | 'vllm'
  | 'xai'
  | 'zai'

/** A field of an answer in which some host gives and takes thoughts. */
export type ThoughtField = 'reasoning_content' | 'reasoning' | 'reasoning_details'

/** A form of answers that a host can be asked for. */
type OutputForm = 'text' | 'json_object' | 'json_schema'

/**
 * How a host differs from the format that it speaks. What a row does not say is as it is without a flavor: a host may take
 * more than its row needs, and what came from it goes back as it came.
 */
export interface ChatFlavor {
  /** Settings that it calls otherwise: the usual name, and its own. */
  readonly names?: { readonly [usual: string]: string }
  /** Settings that it refuses, or does not follow. */
  readonly refuses?: readonly Setting[]
  /** Whether it has a field for `topK`. */
  readonly topK?: true
  /** The highest temperature that it takes. */
  readonly hottest?: number
  /** How many stop sequences it takes. */
  readonly stops?: number
  /** Whether a stop sequence always stands in a list. */
  readonly stopList?: true
  /** Whether the number of likely tokens stands in `logprobs` itself. */
  readonly countedLogprobs?: true
  /** The forms of answers that it knows; default: all. */
  readonly forms?: readonly OutputForm[]
  /** What it knows of tool choices: all but a list of allowed tools, or only `auto`. */
  readonly choices?: 'no-list' | 'auto'
  /** Whether tools can be strict. */
  readonly strict?: false
  /** Whether there are tools that take text. */
  readonly custom?: false
  /** Whether it knows the role `developer`; `system` is said instead. */
  readonly developer?: false
  /** Whether speakers can have names. */
  readonly speakers?: false
  /** Whether answers have a field for refusals; they are said as text instead. */
  readonly refusals?: false
  /** In which fields it takes thoughts: those of others go to the first; none where the list is empty. */
  readonly thoughts?: readonly ThoughtField[]
  /** Whether each answer must have the field of thoughts, if only an empty one. */
  readonly everyThought?: true
  /** The kinds of media that the user can show; default: all of them. */
  readonly media?: readonly MediaPart['type'][]
  /** Whether images can be named by an address instead of sent along. */
  readonly links?: false
  /** Where content must be one text: in results, or everywhere. */
  readonly plain?: 'results' | 'everywhere'
  /** The style of its cache markers; default: OpenAI's. */
  readonly cache?: 'control' | 'none'
  /** How it wants the ids of calls to be. */
  readonly ids?: IdRule
  /** Whether the model must speak between results and the user, and an answer that it goes on with must be marked. */
  readonly turns?: 'strict'
}

const older = { max_completion_tokens: 'max_tokens' } as const

/** What only OpenAI's own hosts know. */
const compatible = { developer: false, custom: false, cache: 'none' } as const

/** The hosts that speak `openai-chat`, and how each of them differs. */
export const flavors: { readonly [name in ChatFlavorName]: ChatFlavor } = {
  azure: { thoughts: [] },
  cerebras: {
    ...compatible,
    refuses: ['frequencyPenalty', 'presencePenalty'],
    refusals: false,
    thoughts: ['reasoning'],
  },
  deepseek: {
    ...compatible,
    names: { ...older, user: 'user_id' },
    refuses: ['seed'],
    forms: ['text', 'json_object'],
    strict: false,
    thoughts: ['reasoning_content'],
    everyThought: true,
    plain: 'everywhere',
  },
  fireworks: { ...compatible, names: older, topK: true, thoughts: ['reasoning_content'] },
  groq: {
    custom: false,
    cache: 'none',
    refuses: ['candidateCount', 'frequencyPenalty', 'logprobs', 'metadata', 'presencePenalty'],
    speakers: false,
    refusals: false,
    thoughts: ['reasoning'],
  },
  'llama.cpp': { ...compatible, names: older, topK: true, thoughts: ['reasoning_content'] },
  lmstudio: { ...compatible, names: older, topK: true, forms: ['text', 'json_schema'], thoughts: [] },
  mistral: {
    ...compatible,
    names: { ...older, seed: 'random_seed' },
    refuses: ['logprobs', 'user'],
    hottest: 1.5,
    choices: 'no-list',
    speakers: false,
    refusals: false,
    thoughts: [],
    ids: { longest: 9, exact: true },
    turns: 'strict',
  },
  moonshot: { ...compatible, hottest: 1, thoughts: ['reasoning_content'] },
  ollama: {
    ...compatible,
    names: older,
    refuses: ['candidateCount', 'metadata', 'parallelToolCalls', 'user'],
    choices: 'auto',
    strict: false,
    refusals: false,
    media: ['image', 'audio'],
    links: false,
    thoughts: ['reasoning'],
  },
  openrouter: { cache: 'control', topK: true, thoughts: ['reasoning', 'reasoning_details'] },
  perplexity: {
    ...compatible,
    names: older,
    refuses: ['frequencyPenalty', 'presencePenalty', 'seed', 'stop'],
    thoughts: [],
  },
  qwen: {
    ...compatible,
    cache: 'control',
    names: older,
    refuses: ['frequencyPenalty'],
    topK: true,
    thoughts: ['reasoning_content'],
  },
  together: {
    ...compatible,
    names: older,
    topK: true,
    stopList: true,
    countedLogprobs: true,
    thoughts: ['reasoning', 'reasoning_content'],
    plain: 'results',
  },
  vllm: { ...compatible, topK: true, thoughts: ['reasoning'] },
  xai: {
    ...compatible,
    refuses: ['frequencyPenalty', 'presencePenalty', 'stop'],
    thoughts: ['reasoning_content'],
  },
  zai: {
    ...compatible,
    names: { ...older, user: 'user_id' },
    refuses: ['frequencyPenalty', 'presencePenalty', 'seed'],
    hottest: 1,
    stops: 1,
    stopList: true,
    forms: ['text', 'json_object'],
    choices: 'auto',
    speakers: false,
    thoughts: ['reasoning_content'],
  },
}

const NONE: ChatFlavor = Object.freeze({})

/** How the host that a flavor names differs; a name of another format's flavor says nothing here. */
export function flavorOf({ flavor }: { readonly flavor?: string }): ChatFlavor {
  return flavor !== undefined && Object.hasOwn(flavors, flavor) ? flavors[flavor as ChatFlavorName] : NONE
}
