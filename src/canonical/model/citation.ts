import type { Json } from '../../wire/json.ts'
import type { Extra } from './extra.ts'

/** The source of a statement, in the terms that providers share. */
export interface SourceCitation {
  readonly type: 'source'
  readonly url?: string
  readonly title?: string
  /** The cited text of the source. */
  readonly quote?: string
  /** The id of the cited file at its provider. */
  readonly fileId?: string
  /** The index of the cited document in the request, counted from 0. */
  readonly document?: number
  /** The cited range of the source: characters, pages or blocks, the end excluded. */
  readonly location?: CitedRange
  /** The range of the part's text that the citation supports, in UTF-16 code units, the end excluded. */
  readonly start?: number
  readonly end?: number
  readonly extra?: Extra
}

/** A range of a source. */
export interface CitedRange {
  readonly unit: 'character' | 'page' | 'block'
  readonly start: number
  readonly end: number
}

/** A citation of a type that this version does not know; it is sent only to its own dialect. */
export interface OpaqueCitation {
  readonly type: 'opaque'
  readonly dialect: string
  readonly value: Json
}

/** A citation, discriminated by `type`. */
export type Citation = SourceCitation | OpaqueCitation
