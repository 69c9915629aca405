import { commonLossRules } from '../../canonical/losses/common-and-response-loss-rules.ts'
import type { UiLossRule } from '../../canonical/losses/loss-catalog.ts'
import { createLoss, createLossRefusedError } from '../../canonical/losses/create-loss.ts'
import { uiLossRules } from '../../canonical/losses/ui-sanitize-agent-loss-rules.ts'
import { type ForeignSlotFilter, reportForeignSlots } from '../../canonical/losses/report-foreign-slots.ts'
import { responseResidueFields } from '../../canonical/losses/residue-fields.ts'
import { buildLossRuleTable } from '../../canonical/losses/loss-rule-table.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { Part } from '../../canonical/model/part.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'

/**
 * Decides whether a loss is allowed: `'error'` rejects it, and the consumer of the stream receives an error.
 * Notes are always allowed.
 */
export type LossHandler = 'allow' | 'error' | ((loss: Loss) => 'allow' | 'error' | void)

/** Returns true for a text, media or call, whose signature a UI can store. */
function isSignatureStored(part: Part): boolean {
  return 'text' in part || 'source' in part || part.type === 'tool-call'
}

const getLossRules = /* @__PURE__ */ lazy(() => buildLossRuleTable(commonLossRules, uiLossRules))

/** A UI protocol has no slots of its own: all residue is foreign. */
const FOREIGN_SLOTS: ForeignSlotFilter = { fields: responseResidueFields, isOwn: () => false }

/** Reports losses to the handler, each rule once for each path. */
export class LossReporter {
  readonly #dialect: string
  readonly #handler: LossHandler
  readonly #reportedKeys = new Set<string>()

  constructor(dialect: string, handler: LossHandler = 'allow') {
    this.#dialect = dialect
    this.#handler = handler
  }

  /** Reports that a rule was applied at a path. */
  add(rule: UiLossRule, path: Path | undefined): void {
    const pointer = toPointer(path)
    const key = `${rule} ${pointer}`
    if (this.#reportedKeys.has(key)) return
    this.#reportedKeys.add(key)
    this.forward(createLoss(getLossRules(), rule, path, { dialect: this.#dialect }))
  }

  /** Passes a loss to the handler, including a loss of an earlier stage. */
  forward(loss: Loss): void {
    const verdict = typeof this.#handler === 'function' ? this.#handler(loss) : this.#handler
    if (loss.severity === 'loss' && verdict === 'error') throw createLossRefusedError(loss)
  }

  /** Reports residue: a UI protocol has no fields for it. */
  addResidue(extra: Extra | undefined, path: Path | undefined): void {
    if (extra === undefined) return
    reportForeignSlots(extra, child(path, 'extra'), FOREIGN_SLOTS, (rule, residuePath) =>
      this.add(rule, residuePath),
    )
  }

  /** Reports what a UI does not show of a part and its nested parts: residue, cache hints and signatures. */
  addHiddenFields(part: Part, path: Path): void {
    this.addResidue(part.extra, path)
    if (part.cache !== undefined) this.add('cache-hint', child(path, 'cache'))
    if (part.signature !== undefined && !isSignatureStored(part)) this.add('signature-dropped', path)
    if (part.type === 'text') {
      part.citations?.forEach((citation, index) => {
        if (citation.type === 'source')
          this.addResidue(citation.extra, child(child(path, 'citations'), index))
      })
    }
    if (part.type === 'tool-result') {
      part.content.forEach((inner, index) => {
        const inside = child(child(path, 'content'), index)
        this.addHiddenFields(inner, inside)
        if (inner.signature !== undefined) this.add('signature-dropped', inside)
      })
    }
  }
}
