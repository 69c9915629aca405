import type { ReasoningSettings } from '../../canonical/model/request.ts'
import { settingRanges } from '../../canonical/model/setting-ranges.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from '../engine/encode-context.ts'

/** Decodes the `thinking` field of Claude, which is the same on every host. */
export function decodeThinking(thinking: Json | undefined): ReasoningSettings {
  if (!isObject(thinking)) return {}
  const { type, budget_tokens: budgetTokens, display } = thinking
  // Thinking between tool calls is the least that some models do.
  if (type === 'disabled' || type === 'between_tools') return { enabled: false }
  const isShown = display === 'summarized'
  const displayFields = isShown || display === 'omitted' ? { include: isShown } : {}
  if (type === 'adaptive') return { enabled: true, ...displayFields }
  if (type !== 'enabled') return {}
  return {
    enabled: true,
    ...(settingRanges.budgetTokens.includes(budgetTokens) && { budgetTokens }),
    ...displayFields,
  }
}

/** Encodes the `thinking` field. `fitBudget` returns undefined for a budget that is not sent. */
export function encodeThinking(
  { enabled, budgetTokens, include }: ReasoningSettings,
  context: EncodeContext,
  fitBudget: (budget: number) => number | undefined = (budget) => budget,
  typeWithoutBudget: 'adaptive' | 'enabled' = 'adaptive',
): JsonObject | undefined {
  if (enabled === false) {
    const isBetweenTools = context.facts.thinkingModes?.includes('between-tools') === true
    return { type: isBetweenTools ? 'between_tools' : 'disabled' }
  }
  const displayFields = include === undefined ? {} : { display: include ? 'summarized' : 'omitted' }
  const isImplied = budgetTokens !== undefined || include !== undefined
  if (enabled === undefined && isImplied)
    context.report('thinking-enabled', child(child(undefined, 'reasoning'), 'enabled'))
  const budget = budgetTokens === undefined ? undefined : fitBudget(budgetTokens)
  if (budget !== undefined) return { type: 'enabled', budget_tokens: budget, ...displayFields }
  return enabled === true || isImplied ? { type: typeWithoutBudget, ...displayFields } : undefined
}
