import type { Effort, ReasoningSettings } from '../../canonical/model/request.ts'
import type { ModelVendor } from '../../models/model-family.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getModelVendor, type ModelFactUse } from '../engine/model-facts.ts'
import { decodeThinking, encodeThinking } from '../shared/claude-thinking.ts'
import { modelFactUse } from './constants.ts'
import type { BedrockHints } from './hints.ts'

/** The fields of `additionalModelRequestFields` that the models of one vendor have. */
interface VendorForm {
  /** The vendors whose families of models apply in full. */
  readonly vendors: readonly ModelVendor[]
  readonly reasoning: ModelFactUse['reasoning']
  /** True if an effort is in `outputConfig`. */
  readonly hasOutputEffort?: true
  /** The path of `topK`; undefined if the models have none. */
  readonly topKPath?: readonly [string, ...string[]]
  /** The key by which the form is recognized in a request without a model. */
  readonly sign?: string
  decodeReasoning(fields: JsonObject): ReasoningSettings
  encodeReasoning(reasoning: ReasoningSettings, context: EncodeContext): JsonObject
}

const openaiEfforts = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
] as const satisfies readonly Effort[]
const novaEfforts = ['low', 'medium', 'high'] as const satisfies readonly Effort[]

function readEffort(value: Json | undefined, efforts: readonly Effort[]): { readonly effort?: Effort } {
  const effort = efforts.find((each) => each === value)
  return effort === undefined ? {} : { effort }
}

/** Creates the form of models whose effort is a field of its own. */
function createEffortForm(
  sign: string,
  wrap: (effort: Effort) => Json,
  unwrap: (field: Json) => Json,
): VendorForm {
  return {
    vendors: ['openai'],
    reasoning: { efforts: openaiEfforts, hasSwitch: false },
    sign,
    decodeReasoning: ({ [sign]: field }) =>
      field === undefined ? {} : readEffort(unwrap(field), openaiEfforts),
    encodeReasoning: ({ effort }) => (effort === undefined ? {} : { [sign]: wrap(effort) }),
  }
}

/**
 * Forms by vendor. Sources: docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html,
 * docs.aws.amazon.com/nova/latest/nova2-userguide (reasoningConfig), and the parameters of each vendor's models in the
 * same guide.
 */
const vendorForms: { readonly [vendor: string]: VendorForm } = {
  anthropic: {
    vendors: modelFactUse.vendors,
    reasoning: modelFactUse.reasoning,
    hasOutputEffort: true,
    topKPath: ['top_k'],
    decodeReasoning({ thinking }) {
      const reasoning = decodeThinking(thinking)
      const lacksBudget =
        isObject(thinking) && thinking['type'] === 'enabled' && reasoning.budgetTokens === undefined
      return lacksBudget ? {} : reasoning
    },
    encodeReasoning(reasoning, context) {
      const thinking = encodeThinking(reasoning, context)
      return thinking === undefined ? {} : { thinking }
    },
  },
  amazon: {
    vendors: ['amazon'],
    reasoning: { efforts: novaEfforts, hasSwitch: true },
    topKPath: ['inferenceConfig', 'topK'],
    sign: 'reasoningConfig',
    decodeReasoning({ reasoningConfig: config }) {
      if (!isObject(config)) return {}
      const { type, maxReasoningEffort } = config
      if (type === 'disabled') return { enabled: false }
      const isOn = type === 'enabled'
      return isOn ? { enabled: true, ...readEffort(maxReasoningEffort, novaEfforts) } : {}
    },
    encodeReasoning({ enabled, effort }) {
      if (enabled === false) return { reasoningConfig: { type: 'disabled' } }
      const maxReasoningEffort = effort ?? 'medium'
      const isOn = enabled === true || effort !== undefined
      return isOn ? { reasoningConfig: { type: 'enabled', maxReasoningEffort } } : {}
    },
  },
  openai: createEffortForm(
    'reasoning',
    (effort) => ({ effort }),
    (field) => (isObject(field) ? (field['effort'] ?? null) : null),
  ),
  'gpt-oss': createEffortForm(
    'reasoning_effort',
    (effort) => effort,
    (field) => field,
  ),
  mistral: {
    vendors: [],
    reasoning: { efforts: [], hasSwitch: false },
    topKPath: ['top_k'],
    decodeReasoning: () => ({}),
    encodeReasoning: () => ({}),
  },
}

/** The form of vendors whose models have neither reasoning settings nor `topK`. */
const plainForm: VendorForm = {
  vendors: [],
  reasoning: { efforts: [], hasSwitch: false },
  decodeReasoning: () => ({}),
  encodeReasoning: () => ({}),
}

/** Returns the form for a model. Without a vendor, the one that a received request had applies, or that of Claude. */
export function getVendorForm(model: string | undefined, { vendorForm }: BedrockHints): VendorForm {
  const vendor = getModelVendor(model) ?? (typeof vendorForm === 'string' ? vendorForm : 'anthropic')
  return Object.hasOwn(vendorForms, vendor) ? (vendorForms[vendor] as VendorForm) : plainForm
}

/** Returns the hint for a received request whose model does not identify the vendor. */
export function createVendorHint(model: string | undefined, fields: JsonObject): BedrockHints {
  if (getModelVendor(model) !== undefined) return {}
  const found = Object.entries(vendorForms).find(
    ([, { sign, topKPath }]) =>
      (sign !== undefined && Object.hasOwn(fields, sign)) ||
      (topKPath !== undefined && topKPath.length > 1 && Object.hasOwn(fields, topKPath[0])),
  )
  return found === undefined ? {} : { vendorForm: found[0] }
}

/** Returns how the facts about models apply to a model. */
export function getModelFactUse(model: string | undefined, hints: BedrockHints = {}): ModelFactUse {
  const { vendors, reasoning } = getVendorForm(model, hints)
  return { ...modelFactUse, vendors, reasoning }
}
