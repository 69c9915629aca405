import type { DialectName, Effort } from 'interlingua'
import type { ModelFamily, ModelVendor } from 'interlingua/models'
import type { WireView } from './wire-views.ts'

/** The vendors whose own format a dialect is: every fact of their rows holds there. */
const nativeVendors: { readonly [name in DialectName]: readonly ModelVendor[] } = {
  anthropic: ['anthropic'],
  'openai-chat': ['openai', 'xai', 'deepseek', 'mistral', 'moonshot', 'zai'],
  'openai-responses': ['openai', 'xai', 'deepseek', 'mistral', 'moonshot', 'zai'],
  gemini: ['google'],
  ollama: ['openai'],
  mistral: ['mistral', 'zai'],
  'gemini-interactions': ['google'],
  bedrock: ['anthropic'],
  cohere: [],
}

/** The dialects in which hosts serve the models of every vendor. */
const openDialects: readonly DialectName[] = ['anthropic', 'openai-chat', 'openai-responses']

/** The thinking levels by which the Interactions API controls the models that otherwise have a budget. */
const interactionsLevels: readonly Effort[] = ['low', 'medium', 'high']

/** Returns true if the model reasons, as far as its server can tell from the body. */
function isThinking({ thinkingDefault = 'unless-off' }: ModelFamily, view: WireView): boolean {
  if (view.thinking !== undefined) return view.thinking !== 'off'
  if (view.effort !== undefined) return view.effort !== 'none' && thinkingDefault !== 'when-on'
  return thinkingDefault === 'unless-off'
}

type Check = (family: ModelFamily, view: WireView, dialect: DialectName) => boolean

/** The checks of facts that hold in every format. */
const contentChecks: { readonly [fact: string]: Check } = {
  maxOutputTokens: ({ maxOutputTokens = Infinity }, view) => (view.maxOutputTokens ?? 0) > maxOutputTokens,
  refusedSettings: ({ refusedSettings = [] }, { settings }) =>
    refusedSettings.some((key) => settings.has(key)),
  refusedWhileThinking: (family, view) =>
    isThinking(family, view) && (family.refusedWhileThinking ?? []).some((key) => view.settings.has(key)),
  supportsTopPWithTemperature: ({ supportsTopPWithTemperature }, { settings }) =>
    supportsTopPWithTemperature === false && settings.has('temperature') && settings.has('topP'),
  forcedTools: ({ forcedTools }, { isToolForced, thinking }) =>
    isToolForced && (forcedTools === false || (forcedTools === 'without-budget' && thinking === 'budget')),
  prefill: (family, view) =>
    view.endsWithAnswer &&
    (family.prefill === false || (family.prefill === 'without-thinking' && isThinking(family, view))),
  supportsOutputWithTools: ({ supportsOutputWithTools }, { hasJsonOutput, hasFunctions }) =>
    supportsOutputWithTools === false && hasJsonOutput && hasFunctions,
}

/** The checks of facts that hold in the format of the model's own vendor. */
const nativeChecks: { readonly [fact: string]: Check } = {
  thinkingModes: ({ thinkingModes }, { thinking }) =>
    thinking !== undefined && thinkingModes?.includes(thinking) === false,
  efforts: ({ efforts, chatEfforts, thinkingModes }, { effort }, dialect) => {
    const isBudgetModel = dialect === 'gemini-interactions' && thinkingModes?.includes('budget')
    const ownEfforts = (dialect === 'openai-chat' ? chatEfforts : undefined) ?? efforts
    const accepted = isBudgetModel ? interactionsLevels : ownEfforts
    return effort !== undefined && accepted?.includes(effort) === false
  },
  refusedFeatures: ({ refusedFeatures = [] }, { hasFunctions, hasJsonOutput, hasSystem }) =>
    (hasFunctions && refusedFeatures.includes('tools')) ||
    (hasJsonOutput && refusedFeatures.includes('json-output')) ||
    (hasSystem === true && refusedFeatures.includes('system-text')),
  maxEffortWhenOff: ({ maxEffortWhenOff }, { effort, thinking }) =>
    maxEffortWhenOff !== undefined &&
    (thinking === 'off' || thinking === 'between-tools') &&
    (effort === 'xhigh' || effort === 'max'),
  minBudgetTokens: ({ minBudgetTokens = 0 }, { budgetTokens = Infinity }) => budgetTokens < minBudgetTokens,
  maxBudgetTokens: ({ maxBudgetTokens = Infinity }, { budgetTokens = 0 }) => budgetTokens > maxBudgetTokens,
  budgetBelowLimit: (_family, { budgetTokens = 0, maxOutputTokens = Infinity }, dialect) =>
    dialect === 'anthropic' && budgetTokens >= maxOutputTokens,
  levelOrBudget: (_family, { effort, thinking }, dialect) =>
    dialect === 'gemini' && effort !== undefined && thinking !== undefined,
  supportsMidConversationSystem: ({ supportsMidConversationSystem }, { hasLaterSystem }) =>
    supportsMidConversationSystem === false && hasLaterSystem,
  supportsCacheMarkers: ({ supportsCacheMarkers }, { hasCacheMarker }) =>
    supportsCacheMarkers === false && hasCacheMarker,
  supportsOutputSchema: ({ supportsOutputSchema }, { hasOutputSchema }) =>
    supportsOutputSchema === false && hasOutputSchema,
  supportsStrictTools: ({ supportsStrictTools }, { hasStrictTool }) =>
    supportsStrictTools === false && hasStrictTool,
  chatTools: ({ chatTools }, { hasFunctions, effort }, dialect) =>
    dialect === 'openai-chat' &&
    hasFunctions &&
    (chatTools === false || (chatTools === 'without-effort' && effort !== 'none')),
  refusedChatSettings: ({ refusedChatSettings = [] }, { settings }, dialect) =>
    dialect === 'openai-chat' && refusedChatSettings.some((key) => settings.has(key)),
  refusedFields: ({ refusedFields = [] }, { fields }) => refusedFields.some((key) => fields.includes(key)),
}

/** Returns the facts of a row that a body breaks. */
export function listBrokenFacts(
  family: ModelFamily,
  dialect: DialectName,
  view: WireView,
): readonly string[] {
  const checks = getChecks(family, dialect)
  return Object.keys(checks).filter((fact) => checks[fact]?.(family, view, dialect))
}

/** Returns true if some facts of a family hold in a dialect: elsewhere no host serves its models. */
export function hasCheckedFacts(family: ModelFamily, dialect: DialectName): boolean {
  return Object.keys(getChecks(family, dialect)).length > 0
}

function getChecks({ vendor }: ModelFamily, dialect: DialectName): { readonly [fact: string]: Check } {
  const isNative = nativeVendors[dialect].includes(vendor)
  return {
    ...((isNative || openDialects.includes(dialect)) && dialect !== 'ollama' && contentChecks),
    ...(isNative && nativeChecks),
  }
}
