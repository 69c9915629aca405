import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import {
  type ChatRequest,
  type Effort,
  EFFORTS,
  type ReasoningSettings,
} from '../../canonical/model/request.ts'
import { effortBudgets, findNearestEffort, toEffort } from '../../models/effort-budgets.ts'
import { isEmptyObject, isEqualJson, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'
import type { AppliedFacts } from './model-facts.ts'
import { isForeignToolLoop } from './tool-loops.ts'

/**
 * Converts the reasoning settings to those that the model and the format have: an effort, a token budget, or a switch.
 * After that, the dialect writes them as they are.
 */
export function fitReasoning(request: ChatRequest, facts: AppliedFacts, context: EncodeContext): ChatRequest {
  const { reasoning, ...others } = request
  if (reasoning === undefined) return request
  const fitter = new ReasoningFitter(request, facts)
  const fitted = fitter.fit(reasoning)
  if (isEqualJson(fitted, reasoning)) return request
  const path = child(undefined, 'reasoning')
  for (const [rule, key] of fitter.reports) context.report(rule, key === undefined ? path : child(path, key))
  return isEmptyObject(fitted) ? others : { ...others, reasoning: fitted }
}

/** Returns true if the request asks for no reasoning. */
export function isReasoningOff({ enabled, effort, budgetTokens }: ReasoningSettings): boolean {
  if (enabled !== undefined) return !enabled
  return effort === undefined ? budgetTokens !== undefined && budgetTokens <= 0 : effort === 'none'
}

type SettingName = keyof ReasoningSettings

/** Converts the reasoning settings of one request, and collects what it changes. */
class ReasoningFitter {
  readonly reports: (readonly [rule: DialectLossRule, key: SettingName | undefined])[] = []
  readonly #facts: AppliedFacts
  /** The efforts that both the model and the format have. */
  readonly #efforts: readonly Effort[]
  /** True if a budget can be sent: not within a tool loop that another model started. */
  readonly #takesBudget: boolean
  readonly #maxBudget: number
  readonly #outputLimit: number

  constructor({ messages, maxOutputTokens }: ChatRequest, facts: AppliedFacts) {
    this.#facts = facts
    const { efforts, budget } = facts.reasoning
    this.#efforts = efforts.filter((effort) => facts.efforts?.includes(effort) !== false)
    const hasBudget = budget !== undefined && facts.thinkingModes?.includes('budget') !== false
    this.#takesBudget = hasBudget && !isForeignToolLoop(messages, facts.reasoningVendor)
    this.#maxBudget = facts.maxBudgetTokens ?? facts.maxOutputTokens ?? Infinity
    this.#outputLimit = maxOutputTokens ?? facts.maxOutputTokens ?? Infinity
  }

  fit(settings: ReasoningSettings): ReasoningSettings {
    if (this.#facts.thinkingModes?.length === 0) return this.#omitAll(settings)
    const visible = this.#fitVisibility(settings)
    const amount = isReasoningOff(settings)
      ? this.#turnOff(settings)
      : this.#fitAmount({ ...settings, ...visible })
    if (visible.include === undefined || !this.#isOff(amount, visible)) return { ...amount, ...visible }
    if (settings.include !== undefined) this.#report('reasoning-ineffective', 'include')
    return amount
  }

  #report(rule: DialectLossRule, key?: SettingName): void {
    this.reports.push([rule, key])
  }

  /** Omits the settings for a model that does not reason. */
  #omitAll(settings: ReasoningSettings): ReasoningSettings {
    for (const key of ['enabled', 'effort', 'budgetTokens', 'include', 'summary'] as const) {
      const isAsked = key === 'include' || key === 'summary' ? false : !isReasoningOff(settings)
      if (settings[key] !== undefined) this.#report(isAsked ? 'model-setting' : 'reasoning-ineffective', key)
    }
    return {}
  }

  #turnOff({ enabled, effort, budgetTokens }: ReasoningSettings): ReasoningSettings {
    const { thinkingModes, reasoning, minBudgetTokens = 0, maxEffortWhenOff } = this.#facts
    if (budgetTokens !== undefined) this.#report('effort-approximated', 'budgetTokens')
    const isBetweenTools = thinkingModes?.includes('between-tools') === true
    if (reasoning.hasSwitch && (isBetweenTools || thinkingModes?.includes('off') !== false)) {
      if (isBetweenTools) this.#report('model-thinking')
      const isEffortKept = effort !== 'none' && reasoning.budget === 'with-effort' && this.#efforts.length > 0
      if (effort !== undefined && isEffortKept)
        return { enabled: false, effort: this.#fitEffort(effort, maxEffortWhenOff) }
      if (effort !== undefined) this.#report('effort-approximated', 'effort')
      return { enabled: false }
    }
    if (!reasoning.hasSwitch && this.#efforts.includes('none')) {
      if (enabled === false) this.#report('effort-approximated', 'enabled')
      if (effort !== undefined && effort !== 'none') this.#report('effort-approximated', 'effort')
      return { effort: 'none' }
    }
    // The model always reasons: it gets the least that it accepts.
    if (this.#efforts.length === 0 && !this.#takesBudget) {
      this.#report('model-setting', effort === undefined ? 'enabled' : 'effort')
      return {}
    }
    if (reasoning.hasSwitch) this.#report('model-thinking')
    if (!reasoning.hasSwitch && enabled !== undefined) this.#report('model-effort', 'enabled')
    if (!reasoning.hasSwitch && (effort !== undefined || enabled === undefined))
      this.#report('model-effort', 'effort')
    if (this.#efforts.length === 0) return { budgetTokens: minBudgetTokens }
    return omitUndefined({ effort: findNearestEffort('none', this.#efforts) })
  }

  #fitAmount({ enabled, include, ...amount }: ReasoningSettings): ReasoningSettings {
    const effort = amount.effort === 'none' ? undefined : amount.effort
    const budgetTokens = (amount.budgetTokens ?? 0) > 0 ? amount.budgetTokens : undefined
    // These contradict the request to reason.
    if (effort !== amount.effort) this.#report('effort-approximated', 'effort')
    if (budgetTokens !== amount.budgetTokens) this.#report('effort-approximated', 'budgetTokens')
    if (effort === undefined && budgetTokens === undefined) return this.#fitSwitch(enabled, include)
    if (this.#efforts.length === 0) return this.#fitToBudget(enabled, effort, budgetTokens)
    const isBudgetSent =
      budgetTokens !== undefined &&
      this.#takesBudget &&
      (effort === undefined || this.#facts.reasoning.budget === 'with-effort')
    const sentEffort = effort === undefined ? {} : { effort: this.#fitEffort(effort) }
    if (isBudgetSent) return { ...this.#fitBudget(enabled, budgetTokens), ...sentEffort }
    if (budgetTokens === undefined) return { ...this.#turnOn(enabled, effort ?? 'high'), ...sentEffort }
    this.#report('budget-as-effort', 'budgetTokens')
    const derived = omitUndefined({
      effort: effort ?? findNearestEffort(toEffort(budgetTokens), this.#efforts),
    })
    const { hasSwitch, budget } = this.#facts.reasoning
    const isOn = hasSwitch && budget === 'with-effort' ? true : enabled
    return { ...this.#turnOn(isOn, derived.effort ?? 'high'), ...derived, ...sentEffort }
  }

  /** Converts an amount for a model without efforts. */
  #fitToBudget(
    enabled: boolean | undefined,
    effort: Effort | undefined,
    budgetTokens: number | undefined,
  ): ReasoningSettings {
    if (budgetTokens !== undefined && this.#takesBudget) {
      if (effort !== undefined) this.#report('effort-approximated', 'effort')
      return this.#fitBudget(enabled, budgetTokens)
    }
    // Only a model that is known to have budgets gets one that it was not asked for.
    if (this.#facts.reasoning.budget !== undefined && this.#facts.thinkingModes?.includes('budget'))
      return this.#deriveBudget(effort ?? 'high', 'effort')
    if (effort !== undefined) this.#report('model-setting', 'effort')
    if (budgetTokens !== undefined) this.#report('model-setting', 'budgetTokens')
    return this.#fitEnabled(enabled)
  }

  /** Converts a request for reasoning without an amount. */
  #fitSwitch(enabled: boolean | undefined, include: boolean | undefined): ReasoningSettings {
    const { thinkingModes, thinkingDefault, reasoning } = this.#facts
    const isAsked = enabled === true || (include === true && thinkingDefault === 'when-on')
    if (!isAsked) return {}
    if (reasoning.hasSwitch && thinkingModes?.includes('adaptive') === false)
      return this.#deriveBudget('high', enabled === undefined ? 'include' : 'enabled')
    const isOffByDefault = !reasoning.hasSwitch && thinkingDefault === 'by-effort'
    if (enabled === undefined || !isOffByDefault || this.#efforts.length === 0)
      return this.#fitEnabled(enabled)
    this.#report('effort-approximated', 'enabled')
    return omitUndefined({ effort: findNearestEffort('medium', this.#efforts) })
  }

  /** Keeps `enabled`, except where the format has no switch for a model that reasons without one. */
  #fitEnabled(enabled: boolean | undefined): ReasoningSettings {
    const { reasoning, thinkingModes } = this.#facts
    const hasSwitch = reasoning.budget !== 'instead-of-effort' || thinkingModes?.includes('budget') !== false
    if (enabled === undefined || (reasoning.hasSwitch && hasSwitch)) return omitUndefined({ enabled })
    this.#report('reasoning-ineffective', 'enabled')
    return {}
  }

  /** Turns reasoning on for an effort, where the effort alone does not. */
  #turnOn(enabled: boolean | undefined, effort: Effort): ReasoningSettings {
    const { reasoning, thinkingModes, thinkingDefault } = this.#facts
    if (!reasoning.hasSwitch || reasoning.budget === 'instead-of-effort') return {}
    if (thinkingModes?.includes('adaptive') === false) return this.#deriveBudget(effort, 'effort')
    if (enabled !== undefined || thinkingModes === undefined || thinkingDefault !== 'when-on')
      return omitUndefined({ enabled })
    this.#report('thinking-enabled', 'enabled')
    return { enabled: true }
  }

  /** Returns the budget of an effort, which leaves half of the output limit for the answer. */
  #deriveBudget(effort: Effort, key: SettingName): ReasoningSettings {
    const { minBudgetTokens = 1, reasoning } = this.#facts
    const requested = effort === 'max' ? this.#maxBudget : effortBudgets[effort]
    const most = Math.min(this.#maxBudget, Math.max(Math.floor(this.#outputLimit / 2), minBudgetTokens))
    const budgetTokens = Math.max(Math.min(requested, most), minBudgetTokens)
    if (!this.#takesBudget || budgetTokens >= this.#outputLimit) return this.#replaceBudget()
    this.#report('reasoning-as-budget', key)
    return reasoning.budget === 'with-effort' ? { enabled: true, budgetTokens } : { budgetTokens }
  }

  #fitBudget(enabled: boolean | undefined, requested: number): ReasoningSettings {
    const { minBudgetTokens, reasoning } = this.#facts
    const isSwitchSent = reasoning.budget === 'with-effort'
    const switchFields = isSwitchSent ? omitUndefined({ enabled }) : {}
    if (minBudgetTokens === undefined) return { ...switchFields, budgetTokens: requested }
    const most = Math.min(this.#maxBudget, this.#outputLimit - 1)
    if (most < minBudgetTokens) return this.#replaceBudget()
    const budgetTokens = Math.floor(Math.min(Math.max(requested, minBudgetTokens), most))
    if (budgetTokens !== requested) this.#report('model-budget', 'budgetTokens')
    return { ...switchFields, budgetTokens }
  }

  /** Replaces a budget that cannot be sent by the nearest mode without one. */
  #replaceBudget(): ReasoningSettings {
    this.#report('model-thinking')
    return { enabled: this.#facts.thinkingModes?.includes('adaptive') === true }
  }

  /** Returns the nearest effort that the model accepts, up to a highest one. */
  #fitEffort(effort: Effort, highest: Effort = 'max'): Effort {
    const limit = EFFORTS.indexOf(highest)
    const allowed = this.#efforts.filter((each) => EFFORTS.indexOf(each) <= limit)
    const nearest = findNearestEffort(effort, allowed) ?? effort
    const isFormatLimit = !this.#facts.reasoning.efforts.includes(effort)
    if (nearest !== effort) this.#report(isFormatLimit ? 'effort-approximated' : 'model-effort', 'effort')
    return nearest
  }

  /** Returns true if there is nothing to read, in a format that says so only while reasoning is on. */
  #isOff({ enabled, effort, budgetTokens }: ReasoningSettings, { include }: ReasoningSettings): boolean {
    const { thinkingDefault, reasoning } = this.#facts
    if (reasoning.budget !== 'with-effort') return false
    if (enabled !== undefined) return !enabled
    const isOffByDefault =
      thinkingDefault === 'when-on' || (thinkingDefault === 'by-effort' && effort === undefined)
    return include === false && budgetTokens === undefined && isOffByDefault
  }

  /** Converts a kind of summary to a request for readable reasoning, where the format has no kinds. */
  #fitVisibility({ include, summary }: ReasoningSettings): ReasoningSettings {
    if (this.#facts.reasoning.hasIncludeOnly !== true || summary === undefined)
      return omitUndefined({ include, summary })
    this.#report('summary-shown', 'summary')
    return { include: include ?? true }
  }
}
