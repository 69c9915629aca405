import type { Rule } from '../../canonical/check/validation-rule.ts'
import type { FinishReason } from '../../canonical/model/message.ts'
import type { Effort } from '../../canonical/model/request.ts'
import { type TwoWayTable, createTwoWayTable } from '../../wire/two-way-table.ts'
import type { ModelFactUse } from '../engine/model-facts.ts'
import { type Slot, defineSlot } from '../engine/residue-slots.ts'
import { googleToolNameRule } from '../shared/google-common.ts'
import type { ToolNameRule } from '../shared/tool-names.ts'
import { createToolNameRule, userFirstRule } from '../shared/validation-rules.ts'
import type { GeminiInteractionsHint } from './hints.ts'

/**
 * How facts about models apply to this dialect, which serves Google's models only. The format has levels and no budgets,
 * also for Gemini 2.5, which `generateContent` controls by a budget.
 * @see https://ai.google.dev/gemini-api/docs/thinking (the levels of each model)
 */
export const modelFactUse: ModelFactUse = {
  dialect: 'gemini-interactions',
  vendors: ['google'],
  otherVendorFacts: 'none',
  reasoning: {
    efforts: ['minimal', 'low', 'medium', 'high'],
    hasSwitch: false,
    hasIncludeOnly: true,
    effortsOfBudgetModels: ['low', 'medium', 'high'],
  },
}

/** The slot of fields that only this dialect has. */
export const DIALECT_SLOT: Slot<GeminiInteractionsHint, 'gemini-interactions'> =
  defineSlot('gemini-interactions')

/** The slot of fields that only a response may contain. */
export const RESPONSE_SLOT: Slot<GeminiInteractionsHint> = defineSlot('gemini-interactions/response')

/**
 * The vendor in the signatures of thoughts. Google does not document that `generateContent` accepts the signatures of
 * interactions, or the reverse, so each format treats those of the other as foreign.
 */
export const SIGNATURE_VENDOR = 'google-interactions'

/** Finish reasons by the status of an interaction; a failure has its reason in `errors`. */
export const statusTable: TwoWayTable<string, FinishReason> = createTwoWayTable([
  ['completed', 'stop'],
  ['requires_action', 'tool-calls'],
  ['incomplete', 'length'],
  ['budget_exceeded', 'length'],
  ['failed', 'error'],
  ['failed', 'content-filter'],
  ['failed', 'refusal'],
  ['cancelled', 'aborted'],
  ['requires_continuation', 'pause'],
])

/** The statuses of an interaction that has not finished. */
export const unfinishedStatuses: ReadonlySet<unknown> = new Set(['queued', 'in_progress'])

/**
 * The error codes of an interaction that Google blocked.
 * @see https://ai.google.dev/gemini-api/docs/interactions (errors)
 */
export const blockedCodes: ReadonlySet<unknown> = new Set([
  'safety',
  'recitation',
  'prohibited_content',
  'spii',
  'blocklist',
  'content_blocked',
  'image_safety',
  'image_prohibited_content',
  'image_recitation',
])

/** Tool choices; `validated` also lets the model decide. */
export const toolChoiceTable: TwoWayTable<string, 'auto' | 'none' | 'required'> = createTwoWayTable([
  ['auto', 'auto'],
  ['none', 'none'],
  ['any', 'required'],
  ['validated', 'auto'],
])

export const effortTable: TwoWayTable<string, Effort> = createTwoWayTable([
  ['minimal', 'minimal'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
])

/** Processing tiers; OpenAI's name of the usual one is `default`. */
export const serviceTierTable: TwoWayTable<string, string> = createTwoWayTable<string, string>([
  ['standard', 'default'],
  ['flex', 'flex'],
  ['priority', 'priority'],
  ['deferred', 'deferred'],
])

/** Agents of Google, which a request names instead of a model; custom agents have the prefix. */
export const AGENT_PREFIX = 'agents/'
export const agentPattern: RegExp = /^(?:deep-research|antigravity|code-mender)-/

export const toolNameRule: ToolNameRule = googleToolNameRule

/** The rules that the provider has for conversations in addition to the base rules. */
export const validationRules: readonly Rule[] = [userFirstRule, createToolNameRule(toolNameRule)]
