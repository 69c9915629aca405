import { digestText } from '../../wire/digest.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'

/** How a format wants names to be. */
export interface NameRule {
  readonly longest: number
}

/** Characters that every provider takes in the name of a tool. */
const foreign = /[^a-zA-Z0-9_-]/g

const SUFFIX = 9

/**
 * The name that a provider takes: the same where it is fit, else its fit characters and a digest of the whole, so that two
 * names stay two, and the same name is the same everywhere.
 */
export function fitName(name: string, { longest }: NameRule): string {
  if (isFit(name, { longest })) return name
  const kept = name.replaceAll(foreign, '_').slice(0, longest - SUFFIX)
  return `${kept}_${digestText(name).slice(0, SUFFIX - 1)}`
}

/** Whether a name can go out as it is. */
export function isFit(name: string, { longest }: NameRule): boolean {
  return name !== '' && name.length <= longest && name.search(foreign) === -1
}

/** What to remember of a name that a host took although it is not fit. */
export function nameHint(name: string, rule: NameRule): Hints {
  return isFit(name, rule) ? {} : { name: 'as-is' }
}

/** The name to write: as it came, or made fit, which is reported. */
export function writeName(
  name: string,
  hints: Hints,
  rule: NameRule,
  at: Path | undefined,
  encoding: Encoding,
): string {
  if (hints['name'] === 'as-is') return name
  const fit = fitName(name, rule)
  if (fit !== name) encoding.lose('name-changed', at)
  return fit
}
