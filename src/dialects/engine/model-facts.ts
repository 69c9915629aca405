import type { Capabilities } from '../../canonical/model/capabilities.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { findModelFamily } from '../../models/find-model-family.ts'
import type { ModelFamily, ModelVendor } from '../../models/model-family.ts'

/**
 * The vendors of models, by fragments of their names. The first match wins: distilled models have the names of two vendors, and
 * reason like the first. `gpt-oss` is a vendor of its own, because its reasoning is plain text that any host accepts, while
 * OpenAI's API accepts only encrypted reasoning. Sources: the model lists of the vendors, of OpenRouter and of Ollama.
 */
const vendorsByNameFragment: readonly (readonly [RegExp, string])[] = [
  [/claude/, 'anthropic'],
  [/deepseek/, 'deepseek'],
  [/gpt-oss/, 'gpt-oss'],
  [/gemini|gemma/, 'google'],
  [/grok/, 'xai'],
  [/qwen|qwq/, 'qwen'],
  [/kimi|moonshot/, 'moonshot'],
  [/glm/, 'zai'],
  [/minimax/, 'minimax'],
  [/mimo/, 'xiaomi'],
  [/mistral|magistral|ministral|mixtral|codestral|devstral/, 'mistral'],
  [/llama/, 'meta'],
  [/nova-/, 'amazon'],
  [/command-/, 'cohere'],
  [/sonar/, 'perplexity'],
  [/gpt|codex|(?:^|[/:])o[134](?:-|$)/, 'openai'],
]

/** Returns the vendor of a model; undefined if its name does not identify one. */
export function getModelVendor(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  const name = model.toLowerCase()
  return vendorsByNameFragment.find(([fragment]) => fragment.test(name))?.[1]
}

/** The reasoning settings that a format can express. */
interface ReasoningControls {
  /** The efforts that the format has. */
  readonly efforts: readonly Effort[]
  /** True if reasoning is turned on and off without an effort. */
  readonly hasSwitch: boolean
  /** Present if the format has a token budget: beside an effort, or instead of one. */
  readonly budget?: 'with-effort' | 'instead-of-effort'
  /** True if the format can ask for readable reasoning, but for no kind of summary. */
  readonly hasIncludeOnly?: true
  /** The efforts of models that other formats control by a budget, in a format without budgets. */
  readonly effortsOfBudgetModels?: readonly Effort[]
}

/** How many facts about models of other vendors apply in a format. */
type OtherVendorFacts = 'none' | 'media' | 'content'

/** The facts that do not depend on the format in which a model is served, by how many of them apply. */
const factsByKind: { readonly [kind in OtherVendorFacts]: readonly (keyof Capabilities)[] } = {
  none: [],
  media: ['refusedMedia'],
  content: [
    'refusedMedia',
    'refusedSettings',
    'refusedWhileThinking',
    'thinkingDefault',
    'prefill',
    'forcedTools',
    'contextTokens',
    'maxOutputTokens',
    'supportsTopPWithTemperature',
    'supportsOutputWithTools',
  ],
}

/** Selects the facts of the table of model families that a dialect applies. */
export interface ModelFactUse {
  readonly dialect: string
  /** The vendors for whose models this is the native format: all their facts apply. */
  readonly vendors: readonly ModelVendor[]
  /**
   * The facts that apply to models of other vendors. `content`: those about their content and limits, because hosts serve them
   * in this format and convert how reasoning, system text and caching are written. `media`: only which media they refuse.
   */
  readonly otherVendorFacts: OtherVendorFacts
  /** The facts of a model without a row. */
  readonly unknownModel?: Capabilities
  /** True if the format omits text that consists of white space. */
  readonly omitsBlankText?: true
  /** True if the request is sent to the Chat Completions API of OpenAI itself. */
  readonly isOpenaiChat?: boolean
  readonly reasoning: ReasoningControls
}

/** Returns the use of a dialect whose models are not in the table and whose format cannot control reasoning. */
export function createUnknownFactUse(dialect: string): ModelFactUse {
  return { dialect, vendors: [], otherVendorFacts: 'none', reasoning: { efforts: [], hasSwitch: false } }
}

/** The facts that apply to one request, and the format that it is written in. */
export interface AppliedFacts extends Capabilities {
  readonly dialect: string
  readonly reasoning: ReasoningControls
  readonly omitsBlankText?: true
}

/** Returns the facts of a model in a dialect; those that the caller states override those of the table. */
export function getModelFacts(
  rules: ModelFactUse,
  model: string | undefined,
  capabilities?: Capabilities,
): AppliedFacts {
  const family = findModelFamily(model ?? '')
  return capabilities === undefined ? getFamilyFacts(rules, family) : applyFacts(rules, family, capabilities)
}

/** The facts of each family by dialect. The families are the rows of a table, so there are few. */
const factsByUse = new WeakMap<ModelFactUse, Map<ModelFamily | undefined, AppliedFacts>>()

function getFamilyFacts(rules: ModelFactUse, family: ModelFamily | undefined): AppliedFacts {
  const known = factsByUse.get(rules) ?? new Map<ModelFamily | undefined, AppliedFacts>()
  factsByUse.set(rules, known)
  const facts = known.get(family) ?? applyFacts(rules, family)
  known.set(family, facts)
  return facts
}

function applyFacts(
  rules: ModelFactUse,
  family: ModelFamily | undefined,
  capabilities?: Capabilities,
): AppliedFacts {
  const { dialect, reasoning, omitsBlankText } = rules
  const facts: AppliedFacts = {
    ...selectFacts(rules, family),
    ...capabilities,
    dialect,
    reasoning,
    ...(omitsBlankText && { omitsBlankText }),
  }
  const { effortsOfBudgetModels: efforts } = reasoning
  const hasBudgetOnly = facts.efforts?.length === 0 && facts.thinkingModes?.includes('budget') === true
  return efforts !== undefined && hasBudgetOnly ? { ...facts, efforts, thinkingModes: ['adaptive'] } : facts
}

/** Returns the facts of a family that apply to the format of a dialect. */
function selectFacts(
  { vendors, otherVendorFacts, unknownModel = {}, isOpenaiChat }: ModelFactUse,
  family: ModelFamily | undefined,
): Capabilities {
  if (family === undefined) return unknownModel
  if (vendors.includes(family.vendor)) {
    const {
      chatTools: _tools,
      chatEfforts = family.efforts,
      refusedChatSettings: _settings,
      ...others
    } = family
    return isOpenaiChat ? { ...family, ...(chatEfforts && { efforts: chatEfforts }) } : others
  }
  const known = factsByKind[otherVendorFacts].filter((fact) => family[fact] !== undefined)
  const facts = Object.fromEntries(known.map((fact) => [fact, family[fact]]))
  return otherVendorFacts === 'content' ? facts : { ...unknownModel, ...facts }
}
