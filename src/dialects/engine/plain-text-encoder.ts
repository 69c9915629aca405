import type { Message, Role } from '../../canonical/model/message.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { EncodeContext } from './encode-context.ts'

/** Encodes a message as wire elements, or its content as blocks. */
export type MessageEncoder<Element extends Json> = (
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
) => readonly Element[]

/** Returns a copy of an encoded value with another text. */
type TextReplacer<Value extends Json = Json> = (text: string) => Value

/** The first plain text of a role as its encoder wrote it, and the context that it is valid for. */
interface Template<Element extends Json> {
  readonly context: EncodeContext
  readonly text: string
  readonly encoded: readonly Element[]
  /** Created with the second text, since most requests have few messages. */
  elements?: readonly TextReplacer<Element>[]
}

/** Matches a non-space character. */
const nonSpacePattern = /\S/

/** Returns the text of a message that has nothing else: no residue, name, mark or further part, and a text that is not blank. */
export function getTextOfPlainMessage({ content, extra, name }: Message): string | undefined {
  const part = content.length === 1 ? content[0] : undefined
  if (part?.type !== 'text' || extra !== undefined || name !== undefined) return undefined
  for (const key in part) if (key !== 'type' && key !== 'text') return undefined
  return nonSpacePattern.test(part.text) ? part.text : undefined
}

/**
 * Encodes the messages of a conversation. Messages of one role that contain only text differ in nothing but the text, so the
 * dialect's encoder writes the first one of each role, and the others are copies of it with their own text. Each
 * dialect still has one encoder: the template is what it wrote. A message with a loss is no template, because each such message
 * must report its own.
 */
export class PlainTextEncoder<Element extends Json = JsonObject> {
  readonly #encode: MessageEncoder<Element>
  readonly #templates = new Map<Role, Template<Element>>()

  constructor(encode: MessageEncoder<Element>) {
    this.#encode = encode
  }

  encode(message: Message, path: Path | undefined, context: EncodeContext): readonly Element[] {
    const text = getTextOfPlainMessage(message)
    if (text === undefined) return this.#encode(message, path, context)
    const template = this.#templates.get(message.role)
    if (template?.context !== context) return this.#encodeFirst(message, text, path, context)
    const elements = (template.elements ??= createTemplateElements(template))
    if (elements.length !== template.encoded.length) return this.#encodeFirst(message, text, path, context)
    const [only] = elements
    return elements.length === 1 && only ? [only(text)] : elements.map((replaceText) => replaceText(text))
  }

  #encodeFirst(
    message: Message,
    text: string,
    path: Path | undefined,
    context: EncodeContext,
  ): readonly Element[] {
    let hasLoss = false
    const report: EncodeContext['report'] = (rule, at) => {
      hasLoss = true
      context.report(rule, at)
    }
    const encoded = this.#encode(message, path, { ...context, report })
    if (!hasLoss && encoded.length > 0) this.#templates.set(message.role, { context, text, encoded })
    return encoded
  }
}

/** Returns no elements for a text that also occurs elsewhere, as "user" does: it is not recognized in its encoding. */
function createTemplateElements<Element extends Json>({
  text,
  encoded,
}: Template<Element>): readonly TextReplacer<Element>[] {
  return countText(encoded, text) === 1 ? encoded.map((element) => createTextReplacer(element, text)) : []
}

/** Returns how often a text is a value. */
function countText(value: Json, text: string): number {
  if (value === text) return 1
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((count, each: Json) => count + countText(each, text), 0)
}

/** Creates the function that copies a value and replaces a text in it. */
function createTextReplacer<Value extends Json>(value: Value, text: string): TextReplacer<Value>
function createTextReplacer(value: Json, text: string): TextReplacer {
  if (value === text) return (other) => other
  if (isList(value)) {
    const items = value.map((item) => createTextReplacer(item, text))
    return (other) => items.map((replaceText) => replaceText(other))
  }
  if (!isObject(value)) return () => value
  const fields = Object.entries(value)
    .filter(([, field]) => field === text || typeof field === 'object')
    .map(([key, field]) => [key, createTextReplacer(field, text)] as const)
  return (other) => {
    const copy = { ...value }
    for (const [key, replaceText] of fields) copy[key] = replaceText(other)
    return copy
  }
}
