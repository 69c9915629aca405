import { lossOf, lossRefused, type LossRules } from '../../canonical/check/losses.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { Part, PartType } from '../../canonical/model/part.ts'
import { isObject } from '../../wire/json.ts'
import { below, type Path, pointer } from '../../wire/pointer.ts'
import { sayings } from '../../wire/residue.ts'

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

/** Tells losses to the listener: each rule once for each place. */
export class LossReport {
  readonly #rules: LossRules
  readonly #listener: LossListener
  readonly #told = new Set<string>()

  constructor(rules: LossRules, listener: LossListener = 'allow') {
    this.#rules = rules
    this.#listener = listener
  }

  /** Says that a rule acted at a place. */
  lose(rule: string, at: Path | undefined): void {
    const path = pointer(at)
    const key = `${rule} ${path}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    this.pass(lossOf(this.#rules, rule, path))
  }

  /** Passes on a loss, of ours or of those before us. */
  pass(loss: Loss): void {
    const verdict = typeof this.#listener === 'function' ? this.#listener(loss) : this.#listener
    if (loss.severity === 'loss' && verdict === 'error') throw lossRefused(loss)
  }

  /** What a wire format adds has no place in a UI. */
  residue(extra: Extra | undefined, at: Path | undefined): void {
    for (const [slot, residue] of Object.entries(extra ?? {})) {
      if (!isObject(residue)) continue
      for (const keys of sayings(residue)) {
        this.lose(
          'foreign-residue',
          keys.reduce<Path>((path, key) => below(path, key), below(below(at, 'extra'), slot)),
        )
      }
    }
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
