import { attachSignature } from '../../canonical/build/parts.ts'
import { PrefixFold } from '../../canonical/collections/prefix-fold.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { digestText } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { NameHint } from '../engine/hints.ts'
import { addHints, type Slot } from '../engine/residue-slots.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** How a format wants names to be. */
export interface ToolNameRule {
  readonly maxLength: number
  /** What a name must look like, where that is not just {@link usualPattern}. */
  readonly pattern?: RegExp
  /** That in words. */
  readonly allowedText?: string
}

/** What every provider takes in the name of a tool, save for what may begin it. */
const usualPattern = /^[a-zA-Z0-9_-]+$/
const invalidCharacters = /[^a-zA-Z0-9_-]/g

const SUFFIX_LENGTH = 9

/**
 * The name that a provider takes: the same where it is fit, else its fit characters and a digest of the whole, so that two
 * names stay two, and the same name is the same everywhere.
 */
export function fitToolName(name: string, rule: ToolNameRule): string {
  if (isValidToolName(name, rule)) return name
  const kept = name.replaceAll(invalidCharacters, '_').slice(0, rule.maxLength - SUFFIX_LENGTH)
  const made = `${kept}_${digestText(name).slice(0, SUFFIX_LENGTH - 1)}`
  return isValidToolName(made, rule) ? made : `_${made.slice(1)}` // the first character was one that may not begin a name
}

/** Whether a name can go out as it is. */
export function isValidToolName(name: string, { maxLength, pattern = usualPattern }: ToolNameRule): boolean {
  return name.length <= maxLength && pattern.test(name)
}

/** What to remember of a name that a host took although it is not fit. */
export function createToolNameHint(name: string, rule: ToolNameRule): Hints<NameHint> {
  return isValidToolName(name, rule) ? {} : { acceptedName: true }
}

/** The names that a request's tools and calls had to give up for a format, by the names that they got. */
export type RenamedTools = ReadonlyMap<string, string>

const NO_RENAMED_TOOLS: RenamedTools = new Map()

/** Which names of a request went out as others, so that the answer to it can be told in its own. */
export function collectRenamedTools(request: ChatRequest | undefined, rule: ToolNameRule): RenamedTools {
  if (request === undefined) return NO_RENAMED_TOOLS
  const offered = (request.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  const own = new Set([...offered, ...calledToolNames.fold(request.messages)])
  const given = [...own].map((name) => [fitToolName(name, rule), name] as const)
  // A name that another tool has by itself is that tool's.
  return new Map(given.filter(([fit, name]) => fit !== name && !own.has(fit)))
}

const calledToolNames = new PrefixFold(
  () => new Set<string>(),
  (names, { content }) => {
    for (const part of content) if (isApplicationCall(part)) names.add(part.name)
    return names
  },
)

/** The part under the name that the request gave its tool; it goes back under the other, which is no news. */
export function restoreToolName<T extends Part>(part: T, names: RenamedTools, slot: Slot<NameHint>): T {
  const name = isApplicationCall(part) ? names.get(part.name) : undefined
  if (name === undefined || !isApplicationCall(part)) return part
  const renamed = freezeOwned<T>(addHints({ ...part, name }, slot, { wireName: part.name }))
  return part.signature !== undefined && isSignatureValid(part)
    ? attachSignature(renamed, part.signature)
    : renamed
}

/** The name to write: as it came, or made fit, which is reported. */
export function encodeToolName(
  name: string,
  hints: Hints<NameHint>,
  rule: ToolNameRule,
  path: Path | undefined,
  context: EncodeContext,
): string {
  if (hints['acceptedName'] === true) return name
  const fit = fitToolName(name, rule)
  if (fit !== name && hints['wireName'] !== fit) context.report('name-changed', path)
  return fit
}
