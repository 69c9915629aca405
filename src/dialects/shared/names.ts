import { sign } from '../../canonical/build/parts.ts'
import { PrefixFold } from '../../canonical/collections/prefix-fold.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import { digestText } from '../../wire/digest.ts'
import { sealOwn } from '../../wire/frozen.ts'
import type { Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import type { NameHint } from '../hints.ts'
import { addHints, type Slot } from '../unit.ts'
import { isOwnCall } from './own-calls.ts'

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
export function nameHint(name: string, rule: NameRule): Hints<NameHint> {
  return isFit(name, rule) ? {} : { acceptedName: true }
}

/** The names that a request's tools and calls had to give up for a format, by the names that they got. */
export type GivenNames = ReadonlyMap<string, string>

const NONE: GivenNames = new Map()

/** Which names of a request went out as others, so that the answer to it can be told in its own. */
export function namesGiven(request: ChatRequest | undefined, rule: NameRule): GivenNames {
  if (request === undefined) return NONE
  const offered = (request.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  const own = new Set([...offered, ...namesCalled.of(request.messages)])
  const given = [...own].map((name) => [fitName(name, rule), name] as const)
  // A name that another tool has by itself is that tool's.
  return new Map(given.filter(([fit, name]) => fit !== name && !own.has(fit)))
}

const namesCalled = new PrefixFold(
  () => new Set<string>(),
  (names, { content }) => {
    for (const part of content) if (isOwnCall(part)) names.add(part.name)
    return names
  },
)

/** The part under the name that the request gave its tool; it goes back under the other, which is no news. */
export function underOwnName<T extends Part>(part: T, names: GivenNames, slot: Slot<NameHint>): T {
  const name = isOwnCall(part) ? names.get(part.name) : undefined
  if (name === undefined || !isOwnCall(part)) return part
  const renamed = sealOwn<T>(addHints({ ...part, name }, slot, { wireName: part.name }))
  return part.signature !== undefined && signatureHolds(part) ? sign(renamed, part.signature) : renamed
}

/** The name to write: as it came, or made fit, which is reported. */
export function writeName(
  name: string,
  hints: Hints<NameHint>,
  rule: NameRule,
  at: Path | undefined,
  encoding: Encoding,
): string {
  if (hints['acceptedName'] === true) return name
  const fit = fitName(name, rule)
  if (fit !== name && hints['wireName'] !== fit) encoding.lose('name-changed', at)
  return fit
}
