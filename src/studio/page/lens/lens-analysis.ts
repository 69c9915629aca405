import type { Repair } from '../../../canonical/check/validation-rule.ts'
import type { Loss } from '../../../canonical/model/loss.ts'
import { toTypedError } from '../../../wire/typed-errors.ts'
import { omitUndefined } from '../../../wire/json.ts'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import type { Detection } from '../../../dialects/engine/detect.ts'
import type { JsonLine } from './json-lines.ts'
import type { InputText } from './read-input.ts'

/** An error, as plain data. */
export interface LensError {
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly found?: string
  readonly expected?: string
  readonly hint?: string
}

/** Returns an error as plain data, which a worker can send. */
export function toLensError(error: unknown): LensError {
  const { code, message, path, found, expected, hint } = toTypedError(error)
  return { code, message, ...omitUndefined({ path, found, expected, hint }) }
}

/** Something that a provider would reject, or that is not as intended. */
export interface LensProblem {
  readonly rule: string
  /** JSON pointer into the canonical request, or into the body if `isWirePath` is true. */
  readonly path: string
  readonly isWirePath?: true
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** The body of one format, as it is shown. */
export interface LensPane {
  /** The dialect; undefined for the canonical form. */
  readonly name?: DialectName
  readonly model?: string
  readonly lineCount: number
  /** The first lines. */
  readonly lines: readonly JsonLine[]
  readonly losses: readonly Loss[]
  readonly lossLines: readonly number[]
  readonly error?: LensError
}

/** The findings about an input. */
export interface LensAnalysis {
  readonly title: string
  readonly choices: readonly { readonly label: string; readonly detail?: string }[]
  readonly issues: readonly string[]
  readonly kind?: 'request' | 'response'
  readonly detections: readonly Detection[]
  readonly isStream: boolean
  readonly messageCount: number
  readonly importLosses: readonly Loss[]
  readonly problems: readonly LensProblem[]
  readonly canonical?: LensPane
  readonly panes: readonly LensPane[]
  readonly error?: LensError
  /** The corrections of the syntax that a repair would make, if the input is almost JSON. */
  readonly syntaxFixes?: readonly string[]
}

/** An input, and what the reader chose. */
export interface LensQuestion {
  readonly input: InputText
  readonly choice?: number
  readonly from?: string
  readonly models: { readonly [name in DialectName]?: string }
}

/** A repaired input. */
export interface LensRepair {
  readonly text: string
  readonly repairs: readonly (Repair | string)[]
}

/** The analysis of an empty input. */
export const EMPTY_ANALYSIS: LensAnalysis = {
  title: '',
  choices: [],
  issues: [],
  detections: [],
  isStream: false,
  messageCount: 0,
  importLosses: [],
  problems: [],
  panes: [],
}
