import { callCallback } from '../../wire/typed-errors.ts'
import { commonLossRules } from '../../canonical/losses/common-and-response-loss-rules.ts'
import type { FormatLossRule } from '../../canonical/losses/loss-catalog.ts'
import { contentLossRules } from '../../canonical/losses/content-loss-rules.ts'
import { createLoss, createLossRefusedError } from '../../canonical/losses/create-loss.ts'
import { formatLossRules } from '../../canonical/losses/format-loss-rules.ts'
import { type ForeignSlotFilter, reportForeignSlots } from '../../canonical/losses/report-foreign-slots.ts'
import { requestResidueFields } from '../../canonical/losses/residue-fields.ts'
import { buildLossRuleTable } from '../../canonical/losses/loss-rule-table.ts'
import { uiLossRules } from '../../canonical/losses/ui-sanitize-agent-loss-rules.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'

/** Decides whether a loss is allowed: `'error'` throws at the first loss. Notes are always allowed. */
export type FormatLossHandler = 'allow' | 'error' | ((loss: Loss) => 'allow' | 'error' | void)

/** Receives the losses of writing a message format. */
export interface FormatReporter {
  /** Reports that a rule was applied at a path of the canonical messages. */
  add(rule: FormatLossRule, path: Path | undefined): void
  /** Reports residue of other formats, for which the target has no fields. */
  addResidue(extra: Extra | undefined, path: Path | undefined): void
  /** Reports a loss of a dialect. */
  forward(loss: Loss): void
}

/** A reporter without effect, for the writer inside a reader. */
export const silentReporter: FormatReporter = { add: () => {}, addResidue: () => {}, forward: () => {} }

const getLossRules = /* @__PURE__ */ lazy(() =>
  buildLossRuleTable(commonLossRules, contentLossRules, formatLossRules, uiLossRules),
)

/** Collects the losses of writing one conversation, each rule once for each path. */
export class FormatLossReporter implements FormatReporter {
  readonly losses: Loss[] = []
  readonly #format: string
  readonly #handler: FormatLossHandler
  readonly #slots: ForeignSlotFilter
  readonly #reportedKeys = new Set<string>()

  constructor(format: string, handler: FormatLossHandler = 'allow', sharedSlots: readonly string[] = []) {
    this.#format = format
    this.#handler = handler
    // Slots with a slash belong to the body of a response, which a message is not sent with.
    const isOwn = (slot: string): boolean =>
      slot === format || slot.includes('/') || sharedSlots.includes(slot)
    this.#slots = { fields: requestResidueFields, isOwn }
  }

  add(rule: FormatLossRule, path: Path | undefined): void {
    this.forward(createLoss(getLossRules(), rule, path, { dialect: this.#format }))
  }

  forward(loss: Loss): void {
    const key = `${loss.rule} ${loss.path}`
    if (this.#reportedKeys.has(key)) return
    this.#reportedKeys.add(key)
    this.losses.push(Object.freeze(loss))
    const handler = this.#handler
    const verdict = typeof handler === 'function' ? callCallback(() => handler(loss)) : handler
    if (loss.severity === 'loss' && verdict === 'error') throw createLossRefusedError(loss)
  }

  addResidue(extra: Extra | undefined, path: Path | undefined): void {
    if (extra === undefined) return
    reportForeignSlots(extra, child(path, 'extra'), this.#slots, (rule, at) => this.add(rule, at))
  }
}
