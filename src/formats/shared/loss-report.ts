import { createLoss, lossRefused } from '../../canonical/losses/loss.ts'
import { type ForeignSlots, reportResidue } from '../../canonical/losses/report-residue.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { Loss, LossRule } from '../../canonical/model/loss.ts'
import type { Part, PartType } from '../../canonical/model/part.ts'
import { child, type Path, toPointer } from '../../wire/json-pointer.ts'

/**
 * Who hears of losses and notes, and whether a loss is allowed: `'error'` refuses it, and the stream ends with an error for
 * the one who reads it. Notes are always allowed.
 */
export type LossHandler = 'allow' | 'error' | ((loss: Loss) => 'allow' | 'error' | void)

/** The part types whose signature a UI can keep for later. */
const keepsSignature: { readonly [type in PartType]: boolean } = {
  text: true,
  image: true,
  audio: true,
  video: true,
  file: true,
  reasoning: true,
  refusal: true,
  'tool-call': true,
  'tool-result': false,
  json: false,
  opaque: false,
}

/** A UI protocol writes no slot. */
const foreignSlots: ForeignSlots = { direction: 'response', isOwn: () => false }

/** Tells losses to the listener: each rule once for each place. */
export class LossReport {
  readonly #dialect: string
  readonly #handler: LossHandler
  readonly #reportedKeys = new Set<string>()

  constructor(dialect: string, listener: LossHandler = 'allow') {
    this.#dialect = dialect
    this.#handler = listener
  }

  /** Reports that a rule was applied at a path. */
  add(rule: LossRule, at: Path | undefined): void {
    const path = toPointer(at)
    const key = `${rule} ${path}`
    if (this.#reportedKeys.has(key)) return
    this.#reportedKeys.add(key)
    this.forward(createLoss(rule, path, { dialect: this.#dialect }))
  }

  /** Passes on a loss, of ours or of those before us. */
  forward(loss: Loss): void {
    const verdict = typeof this.#handler === 'function' ? this.#handler(loss) : this.#handler
    if (loss.severity === 'loss' && verdict === 'error') throw lossRefused(loss)
  }

  /** Reports residue: a UI protocol has no field for what only a wire format has. */
  addResidue(extra: Extra | undefined, at: Path | undefined): void {
    if (extra === undefined) return
    reportResidue(extra, child(at, 'extra'), foreignSlots, (rule, path) => this.add(rule, path))
  }

  /** What no UI shows of a part: residue and cache hints, its own and those of what is inside of it. */
  addHiddenFields(part: Part, path: Path): void {
    this.addResidue(part.extra, path)
    if (part.cache !== undefined) this.add('cache-hint', child(path, 'cache'))
    if (part.signature !== undefined && !keepsSignature[part.type]) this.add('signature-dropped', path)
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
