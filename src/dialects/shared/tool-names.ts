import { attachSignature } from '../../canonical/build/parts.ts'
import { CachedMessageFold } from '../../canonical/collections/cached-message-fold.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { Tool, ToolChoice } from '../../canonical/model/tool.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { digestText } from '../../wire/digest.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isObject, type Json } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { ToolNameHint } from '../engine/residue-hints.ts'
import { addHints, type Slot } from '../engine/residue-slots.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { addNamespaceToName, removeNamespaceFromName } from './plain-functions.ts'

/**
 * The rule of a provider for tool names.
 *
 * @example
 * const toolNameRule: ToolNameRule = { maxLength: 64, pattern: /^[a-zA-Z_][a-zA-Z0-9_]*$/ }
 */
export interface ToolNameRule {
  readonly maxLength: number
  /**
   * Matches valid names. It must accept letters, digits and `_` in any place but the first; every other character that it
   * refuses is replaced by `_`. Default: letters, digits, `_` and `-`.
   */
  readonly pattern?: RegExp
  readonly allowedText?: string
}

/** The characters that every provider accepts; some restrict the first character further. */
const usualPattern = /^[a-zA-Z0-9_-]+$/
const invalidCharacters = /[^a-zA-Z0-9_-]/g

const SUFFIX_LENGTH = 9

/** Matches the end of every changed name. */
const suffixPattern = /_[0-9a-f]{8}$/

/**
 * Returns a name that the provider accepts: the same name if it is valid, otherwise its valid characters and
 * a digest of it, so that names stay distinct and a name is always changed in the same way.
 */
export function fitToolName(name: string, rule: ToolNameRule): string {
  if (isValidToolName(name, rule)) return name
  const usual = name.replaceAll(invalidCharacters, '_').slice(0, rule.maxLength - SUFFIX_LENGTH)
  const prefix = isValidToolName('a-', rule) ? usual : usual.replaceAll('-', '_')
  const renamed = `${prefix}_${digestText(name).slice(0, SUFFIX_LENGTH - 1)}`
  return isValidToolName(renamed, rule) ? renamed : `_${renamed.slice(1)}` // the first character was not allowed as the start of a name
}

/** Returns true if a name follows a rule. */
export function isValidToolName(name: string, { maxLength, pattern = usualPattern }: ToolNameRule): boolean {
  return name.length <= maxLength && pattern.test(name)
}

/** Returns the name of the tool that a wire object declares, calls or chooses; undefined if it is missing or empty. */
export function readToolName(body: Json | undefined): string | undefined {
  const name = isObject(body) ? body['name'] : undefined
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** Returns the hint for a name that a host accepted although it breaks the rule. */
export function createToolNameHint(name: string, rule: ToolNameRule): Hints<ToolNameHint> {
  return isValidToolName(name, rule) ? {} : { acceptedName: true }
}

/** Returns the hint for a tool choice with a name that a host accepted although it breaks the rule. */
export function createAcceptedChoiceHint(
  choice: ToolChoice | undefined,
  rule: ToolNameRule,
): Hints<ToolNameHint> {
  if (typeof choice !== 'object') return {}
  const names = 'name' in choice ? [choice.name] : choice.allowed
  return names.every((name) => isValidToolName(name, rule)) ? {} : { acceptedName: true }
}

/** The original names of renamed tools by the names under which they were sent. */
export type OriginalToolNames = Pick<ReadonlyMap<string, string>, 'get'>

/**
 * Collects the tools of a request that were sent under another name. The messages are read for the first call with a name that
 * may have been changed: few answers contain one. Until then, the caller may change the list.
 */
export function collectOriginalToolNames(
  request: ChatRequest | undefined,
  rule: ToolNameRule,
): OriginalToolNames {
  if (request === undefined) return new Map()
  const { messages } = request
  const sent = Array.isArray(messages) ? { ...request, messages: messages.slice() as Message[] } : request
  const hasNamespaces = request.tools?.some((tool) => getNamespacedName(tool).length > 0) === true
  let names: ReadonlyMap<string, string> | undefined
  return {
    get(name) {
      if (!hasNamespaces && !suffixPattern.test(name)) return undefined
      names ??= findRenamedTools(sent, rule)
      return names.get(name)
    },
  }
}

function findRenamedTools(request: ChatRequest, rule: ToolNameRule): ReadonlyMap<string, string> {
  const declared = (request.tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.name] : []))
  const originals = new Set([...declared, ...listCalledToolNames(request)])
  const renames = [
    ...[...originals].map((name) => [fitToolName(name, rule), name] as const),
    ...(request.tools ?? []).flatMap(getNamespacedName),
  ]
  // A name that belongs to another tool of the request is not an alias.
  return new Map(renames.filter(([fit, name]) => fit !== name && !originals.has(fit)))
}

/** Returns the name that a received call of a tool in a namespace has, and the name of the tool. */
function getNamespacedName(tool: Tool): readonly (readonly [string, string])[] {
  if (tool.type !== 'function' || tool.namespace === undefined) return []
  const { name: namespace } = tool.namespace
  return [[addNamespaceToName(namespace, removeNamespaceFromName(namespace, tool.name)), tool.name]]
}

/** Returns the names of the tools that a conversation calls. */
export function listCalledToolNames({ messages }: ChatRequest): ReadonlySet<string> {
  return calledToolNames.fold(messages)
}

const calledToolNames = new CachedMessageFold(
  () => new Set<string>(),
  (names, { content }) => {
    for (const part of content) if (isApplicationCall(part)) names.add(part.name)
    return names
  },
)

/** Returns a call with the original name of its tool. Sending it under the other name again is no loss. */
export function restoreToolName<T extends Part>(
  part: T,
  names: OriginalToolNames,
  slot: Slot<ToolNameHint>,
): T {
  if (!isApplicationCall(part)) return part
  const name = names.get(part.name)
  if (name === undefined) return part
  const renamed = freezeOwned<T>(addHints({ ...part, name }, slot, { wireName: part.name }))
  return part.signature !== undefined && isSignatureValid(part)
    ? attachSignature(renamed, part.signature)
    : renamed
}

/** Returns the name to send: as received, or changed to fit the rule, which is reported. */
export function encodeToolName(
  name: string,
  hints: Hints<ToolNameHint>,
  rule: ToolNameRule,
  path: Path | undefined,
  context: EncodeContext,
): string {
  if (hints['acceptedName'] === true) return name
  const fit = fitToolName(name, rule)
  if (fit !== name && hints['wireName'] !== fit) context.report('name-changed', path)
  return fit
}
