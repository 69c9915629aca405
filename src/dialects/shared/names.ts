import { digestText } from '../../wire/digest.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'

/** How a format wants names to be. */
export interface NameRule {
  readonly longest: number
  /** What a name must look like, where that is not just {@link usual}. */
  readonly pattern?: RegExp
  /** That in words. */
  readonly takes?: string
}

/** What every provider takes in the name of a tool, save for what may begin it. */
const usual = /^[a-zA-Z0-9_-]+$/
const foreign = /[^a-zA-Z0-9_-]/g

const SUFFIX = 9

/**
 * The name that a provider takes: the same where it is fit, else its fit characters and a digest of the whole, so that two
 * names stay two, and the same name is the same everywhere.
 */
export function fitName(name: string, rule: NameRule): string {
  if (isFit(name, rule)) return name
  const kept = name.replaceAll(foreign, '_').slice(0, rule.longest - SUFFIX)
  const made = `${kept}_${digestText(name).slice(0, SUFFIX - 1)}`
  return isFit(made, rule) ? made : `_${made.slice(1)}` // the first character was one that may not begin a name
}

/** Whether a name can go out as it is. */
export function isFit(name: string, { longest, pattern = usual }: NameRule): boolean {
  return name.length <= longest && pattern.test(name)
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
