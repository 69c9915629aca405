import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part, TextPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { rememberTest } from '../../wire/frozen-json.ts'
import { isVerbatimText, type Json, type JsonObject } from '../../wire/json.ts'
import type { EncodeContext } from './encode-context.ts'
import { isPlainValue, isWellFormed } from './well-formed-text.ts'

/**
 * The content of a message that has nothing but texts, calls and results: no residue, name, mark or reasoning. Two such
 * messages of one form differ in their values alone, and so do their encodings.
 */
export interface SimpleMessage {
  /** Identifies the role of the message and the forms of its parts. */
  readonly form: number
  /** The values of its parts as they are sent, in order: texts, ids, names and arguments. */
  readonly values: readonly Json[]
  /** True if no text in `values` contains a character that JSON escapes. */
  readonly isVerbatim: boolean
}

/** How a dialect sends the values of calls and results. A value that depends on anything else is not simple. */
export interface ValueRules {
  /** The slot of the dialect. */
  readonly slot: string
  /** Returns the id under which a call is sent. Default: its own. */
  fitCallId?(id: string, context: EncodeContext): string
  /** Returns true if the name of a tool is sent unchanged. Default: all names are. */
  keepsToolName?(name: string): boolean
  /** Returns true if arguments are sent unchanged. Default: all arguments are. */
  keepsArguments?(value: JsonObject): boolean
  /** True if results contain the name of their tool. */
  readonly writesResultName?: true
}

/** The roles of simple messages: system messages are fields of the body, or marked text, in some places. */
const roleDigits: { readonly [role in Role]?: number } = { user: 1, assistant: 2, tool: 3 }

/** The forms of parts, as digits of the form of their message. */
const partDigits = { text: 1, call: 2, callWithChangedId: 3, result: 4 } as const

/** The role of a message that was received in the same format is a digit of its own. */
const OWN_ORIGIN = 3
/** Greater than all digits. */
const FORM_BASE = 9

/** Longer messages are rare. The limit keeps the number of a form exact. */
const MAX_PARTS = 12

/** Reads the simple messages of a conversation. */
export class SimpleMessageReader {
  readonly #rules: ValueRules
  /** The ids that are changed, since the result of a call has the same id. */
  readonly #changedIds = new Map<string, string>()
  /** True if a changed id contains a character that JSON escapes. */
  #hasEscapedIds = false
  /** Names that are sent as they are: conversations repeat few names. */
  readonly #keptNames = new Set<string>()

  constructor(rules: ValueRules) {
    this.#rules = rules
  }

  /** Returns undefined for a message that is not simple. */
  read(message: Message, context: EncodeContext): SimpleMessage | undefined {
    if (!isSimpleMessage(message)) return undefined
    const { role, content, origin }: Message & { readonly origin?: { readonly dialect: string } } = message
    const digit = roleDigits[role] ?? 0
    // Some formats write a message of their own differently.
    let form = origin?.dialect === this.#rules.slot ? digit + OWN_ORIGIN : digit
    const values: Json[] = []
    for (const part of content) {
      const partDigit = this.#addValues(part, values, context)
      if (partDigit === undefined) return undefined
      form = form * FORM_BASE + partDigit
    }
    return { form, values, isVerbatim: !this.#hasEscapedIds && hasOnlyVerbatimTexts(message) }
  }

  /** Adds the values of a part and returns its form; undefined if the dialect does not send them as they are. */
  #addValues(part: Part, values: Json[], context: EncodeContext): number | undefined {
    if (part.type === 'tool-call') return this.#addCall(part, values, context)
    if (part.type === 'tool-result') return this.#addResult(part, values, context)
    if (part.type !== 'text') return undefined
    values.push(part.text)
    return partDigits.text
  }

  #addCall(call: ToolCallPart, values: Json[], context: EncodeContext): number | undefined {
    const { id, name, arguments: given = {} } = call
    if (!this.#keepsName(name) || this.#rules.keepsArguments?.(given) === false) return undefined
    const sentId = this.#fitId(id, context)
    values.push(sentId, name, given)
    return sentId === id ? partDigits.call : partDigits.callWithChangedId
  }

  #addResult(result: ToolResultPart, values: Json[], context: EncodeContext): number | undefined {
    const { callId, name, content } = result
    const [only] = content
    if (only?.type !== 'text') return undefined
    values.push(this.#fitId(callId, context), only.text)
    if (this.#rules.writesResultName !== true) return partDigits.result
    if (name === undefined || !this.#keepsName(name)) return undefined
    values.push(name)
    return partDigits.result
  }

  #fitId(id: string, context: EncodeContext): string {
    const known = this.#changedIds.size === 0 ? undefined : this.#changedIds.get(id)
    if (known !== undefined) return known
    const fit = this.#rules.fitCallId?.(id, context) ?? id
    if (fit === id) return id
    this.#changedIds.set(id, fit)
    this.#hasEscapedIds ||= !isVerbatimText(fit)
    return fit
  }

  #keepsName(name: string): boolean {
    if (this.#keptNames.has(name)) return true
    const isKept = this.#rules.keepsToolName?.(name) !== false
    if (isKept) this.#keptNames.add(name)
    return isKept
  }
}

const nonSpacePattern = /\S/

/**
 * Returns true for a message whose values may be copied into a template, whatever the dialect is. What a test finds is remembered
 * with the message: conversations are sent again with each turn.
 */
const isSimpleMessage = /* @__PURE__ */ rememberTest((message: Message) => {
  const { role, content } = message
  if (roleDigits[role] === undefined || content.length === 0 || content.length > MAX_PARTS) return false
  if (!hasOnlyContent(message)) return false
  for (const part of content) if (!isSimplePart(part)) return false
  return true
})

function isSimplePart(part: Part): boolean {
  if (part.type === 'text') return isPlainText(part)
  if (part.type === 'tool-call')
    return part.arguments !== undefined && isPlainCall(part) && isPlainValue(part.arguments)
  if (part.type !== 'tool-result' || !isPlainResult(part)) return false
  const only = part.content.length === 1 ? part.content[0] : undefined
  return only?.type === 'text' && isPlainText(only)
}

/** Returns true for a simple message whose texts, ids and names contain nothing that JSON escapes. */
const hasOnlyVerbatimTexts = /* @__PURE__ */ rememberTest(({ content }: Message) => {
  for (const part of content) if (!hasVerbatimTexts(part)) return false
  return true
})

function hasVerbatimTexts(part: Part): boolean {
  for (const key in part) {
    const value: unknown = part[key as keyof Part]
    if (typeof value === 'string' && !isVerbatimText(value)) return false
  }
  return part.type !== 'tool-result' || part.content.every(hasVerbatimTexts)
}

/** Returns true for a text that is not blank, without marks. */
function isPlainText(part: TextPart): boolean {
  for (const key in part) if (key !== 'type' && key !== 'text') return false
  return nonSpacePattern.test(part.text) && part.text.isWellFormed()
}

/** Returns true for a call without marks, whose text is not recorded. */
function isPlainCall(part: ToolCallPart): boolean {
  for (const key in part)
    if (key !== 'type' && key !== 'id' && key !== 'name' && key !== 'arguments') return false
  return part.id.isWellFormed() && part.name.isWellFormed()
}

/** Returns true for a successful result without marks. */
function isPlainResult(part: ToolResultPart): boolean {
  for (const key in part)
    if (key !== 'type' && key !== 'callId' && key !== 'name' && key !== 'content') return false
  return part.callId.isWellFormed() && isPlainValue(part.name)
}

/** Returns true for a message with no further field that is sent or reported. */
function hasOnlyContent(message: Message): boolean {
  for (const key in message) {
    if (key === 'role' || key === 'content') continue
    if (key === 'name' || key === 'extra') return false
    const value: unknown = message[key as keyof Message]
    const isString = typeof value === 'string'
    // The residue of usage is never reported in a request.
    if (isString ? !value.isWellFormed() : key === 'usage' ? !isWellFormed(value) : !isPlainValue(value))
      return false
  }
  return true
}
