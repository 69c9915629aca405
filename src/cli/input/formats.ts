import type { Detection } from '../../dialects/engine/detect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'

/** Name of the stored format, as `detect` returns it. */
export const STORED_FORMAT = 'interlingua'

export type FormatName = DialectName | typeof STORED_FORMAT

export const FORMAT_NAMES: readonly FormatName[] = [
  ...(Object.keys(dialects) as DialectName[]),
  STORED_FORMAT,
]

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name)
}

/** The `--from` and `--kind` options; an omitted one is detected. */
export interface InputFormatOptions {
  readonly from?: FormatName
  readonly kind?: Detection['kind']
}

/** Evidence of a format that `--from` sets and detection did not confirm. */
export const GIVEN_BY_OPTION = 'given by option'
