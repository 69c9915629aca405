import { createLoss, lossRefused } from '../../canonical/losses/loss.ts'
import { type ForeignSlots, reportResidue } from '../../canonical/losses/report-residue.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { Loss, LossRule } from '../../canonical/model/loss.ts'
import type { Part, PartType } from '../../canonical/model/part.ts'
import { below, type Path, pointer } from '../../wire/pointer.ts'

/**
 * Who hears of losses and notes, and whether a loss is allowed: `'error'` refuses it, and the stream ends with an error for
 * the one who reads it. Notes are always allowed.
 */
export type LossListener = 'allow' | 'error' | ((loss: Loss) => 'allow' | 'error' | void)

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
  readonly #listener: LossListener
  readonly #told = new Set<string>()

  constructor(dialect: string, listener: LossListener = 'allow') {
    this.#dialect = dialect
    this.#listener = listener
  }

  /** Reports that a rule was applied at a path. */
  lose(rule: LossRule, at: Path | undefined): void {
    const path = pointer(at)
    const key = `${rule} ${path}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.pass(createLoss(rule, path, { dialect: this.#dialect }))
  }

  /** Passes on a loss, of ours or of those before us. */
  pass(loss: Loss): void {
    const verdict = typeof this.#listener === 'function' ? this.#listener(loss) : this.#listener
    if (loss.severity === 'loss' && verdict === 'error') throw lossRefused(loss)
  }

  /** Reports residue: a UI protocol has no field for what only a wire format has. */
  residue(extra: Extra | undefined, at: Path | undefined): void {
    if (extra === undefined) return
    reportResidue(extra, below(at, 'extra'), foreignSlots, (rule, path) => this.lose(rule, path))
  }

  /** What no UI shows of a part: residue and cache hints, its own and those of what is inside of it. */
  hidden(part: Part, at: Path): void {
    this.residue(part.extra, at)
    if (part.cache !== undefined) this.lose('cache-hint', below(at, 'cache'))
    if (part.signature !== undefined && !keepsSignature[part.type]) this.lose('signature-dropped', at)
    if (part.type === 'text') {
      part.citations?.forEach((citation, index) => {
        if (citation.type === 'source') this.residue(citation.extra, below(below(at, 'citations'), index))
      })
    }
    if (part.type === 'tool-result') {
      part.content.forEach((inner, index) => {
        const inside = below(below(at, 'content'), index)
        this.hidden(inner, inside)
        if (inner.signature !== undefined) this.lose('signature-dropped', inside)
      })
    }
  }
}
