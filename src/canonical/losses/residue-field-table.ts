import type { Json } from '../../wire/json.ts'

/**
 * Wire fields of one slot, by what it means to omit them for another format. Lists are separated by spaces, so that unused
 * tables can be left out of a bundle. A path consists of the keys without list positions, joined by dots; `.*` includes all
 * nested keys. Any other field is a loss.
 */
export interface ResidueFields {
  /** Without meaning outside of their format: ids, positions, server timings, settings that an answer repeats. Not reported. */
  readonly formOnly?: string
  /** As `formOnly`, if the value is a text. */
  readonly formOnlyTexts?: string
  /** Data about the exchange that is not part of the conversation or of the answer. Reported as a note. */
  readonly metadata?: string
  /** Values that equal the behavior of every target. Not reported. */
  readonly defaults?: { readonly [path: string]: readonly Json[] }
  /** Counts by modality. For text alone, they repeat the total and are not reported. */
  readonly countsByModality?: string
  /** Hints that are more than a form of the wire value: without them, the target behaves differently. */
  readonly hints?: string
  /** Nested objects whose fields are those of another slot. */
  readonly objects?: { readonly [key: string]: string }
}

/** Fields by slot. */
export type ResidueFieldTable = { readonly [slot: string]: ResidueFields }
