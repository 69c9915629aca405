import type { Json } from '../../wire/json.ts'
import type { Extra } from './extra.ts'

/** Where a statement comes from, in the words that providers share. */
export interface SourceCitation {
  readonly type: 'source'
  readonly url?: string
  readonly title?: string
  /** The cited words of the source. */
  readonly quote?: string
  /** Id of the cited file at its provider. */
  readonly fileId?: string
  /** Which document of the request is cited, counted from 0. */
  readonly document?: number
  /** Where in the source: characters, pages or blocks, the end excluded. */
  readonly location?: CitedRange
  /** The stretch of this part's text that the citation supports, in UTF-16 units, the end excluded. */
  readonly start?: number
  readonly end?: number
  readonly extra?: Extra
}

/** A stretch of a source. */
export interface CitedRange {
  readonly unit: 'character' | 'page' | 'block'
  readonly start: number
  readonly end: number
}

/** A citation of a kind that this version does not know: it goes back to its own dialect only. */
export interface OpaqueCitation {
  readonly type: 'opaque'
  readonly dialect: string
  readonly value: Json
}

export type Citation = SourceCitation | OpaqueCitation
