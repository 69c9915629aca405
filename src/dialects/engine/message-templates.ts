import { stringifyFrozenArguments } from '../../canonical/build/call-arguments.ts'
import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { Message } from '../../canonical/model/message.ts'
import { isObject, type Json, type JsonObject, stringifyText } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { ElementText, type WrittenElement } from './element-text.ts'
import type { EncodeContext } from './encode-context.ts'
import { type MessageEncoder, PlainTextEncoder } from './plain-text-encoder.ts'
import { type SimpleMessage, SimpleMessageReader, type ValueRules } from './simple-message-reader.ts'
import type { MessageWithPath } from './tool-pairing.ts'

/** The place of a value in the text of a template. */
interface Hole {
  /** The position of the value in its message. */
  readonly index: number
  /** True for arguments that are a JSON text in the body. */
  readonly isText: boolean
  /** The text that follows the value. */
  readonly end: string
}

/** A loss of each message of a form: its rule, and the keys from the path of the message to that of the loss. */
interface TemplateLoss {
  readonly rule: DialectLossRule
  readonly keys: readonly Path['key'][]
}

/** The JSON text of the messages of one form, without their values. */
interface Template {
  readonly start: string
  readonly holes: readonly Hole[]
  readonly count: number
  readonly losses: readonly TemplateLoss[]
}

/**
 * Encodes the messages of a conversation. Where the text of a request is written, the dialect's encoder writes the first
 * simple message of each form, and the texts of the others are copies with their own values. So each dialect has one encoder,
 * and a template is what it wrote. All values of the first message must occur in it, each exactly once, as the JSON text that
 * replaces them: a value that is omitted, changed or equal to another text makes no template.
 */
export class MessageTemplates<Element extends Json = JsonObject> {
  readonly #encode: MessageEncoder<Element>
  readonly #plainTexts: PlainTextEncoder<Element>
  readonly #reader: SimpleMessageReader
  readonly #onCopy: ((message: Message, context: EncodeContext) => void) | undefined
  /** By form; undefined for a form whose values the encoder changes. */
  readonly #templates = new Map<number, Template | undefined>()
  /** The context that the templates are valid for. */
  #context: EncodeContext | undefined

  /** `onCopy` gets the messages that the encoder does not, because their texts are copies. */
  constructor(
    encode: MessageEncoder<Element>,
    rules: ValueRules,
    onCopy?: (message: Message, context: EncodeContext) => void,
  ) {
    this.#encode = encode
    this.#onCopy = onCopy
    this.#plainTexts = new PlainTextEncoder(encode)
    this.#reader = new SimpleMessageReader(rules)
  }

  /** Returns the values of a simple message; undefined for any other. */
  readSimple(message: Message, context: EncodeContext): SimpleMessage | undefined {
    return this.#reader.read(message, context)
  }

  encode(
    { message, path, simple }: MessageWithPath,
    context: EncodeContext,
  ): readonly WrittenElement<Element>[] {
    if (simple === undefined) return this.#plainTexts.encode(message, path, context)
    if (this.#context !== context) this.#templates.clear()
    this.#context = context
    const template = this.#templates.get(simple.form)
    if (template !== undefined) {
      this.#onCopy?.(message, context)
      return [fillTemplate(template, simple, path, context)]
    }
    return this.#templates.has(simple.form)
      ? this.#encode(message, path, context)
      : this.#encodeFirst(message, simple, path, context)
  }

  #encodeFirst(
    message: Message,
    { form, values }: SimpleMessage,
    path: Path | undefined,
    context: EncodeContext,
  ): readonly WrittenElement<Element>[] {
    const losses: (TemplateLoss | undefined)[] = []
    const report: EncodeContext['report'] = (rule, at) => {
      const keys = listKeysBelow(path, at)
      losses.push(keys && { rule, keys })
      context.report(rule, at)
    }
    const encoded = this.#encode(message, path, { ...context, report })
    if (encoded.length === 0) return encoded
    const text = JSON.stringify(encoded).slice(1, -1)
    const holes = findHoles(text, values)
    const repeatable = losses.filter((loss) => loss !== undefined)
    if (holes === 'changed' || repeatable.length < losses.length) this.#templates.set(form, undefined)
    else if (holes !== 'ambiguous')
      this.#templates.set(form, { ...holes, count: encoded.length, losses: repeatable })
    return [new ElementText(text, encoded.length)]
  }
}

function fillTemplate(
  { start, holes, count, losses }: Template,
  { values, isVerbatim }: SimpleMessage,
  path: Path | undefined,
  context: EncodeContext,
): ElementText {
  for (const { rule, keys } of losses) context.report(rule, keys.reduce<Path | undefined>(child, path))
  let text = start
  for (const { index, isText, end } of holes) {
    const value = values[index] as Json
    const isReady = isVerbatim && typeof value === 'string'
    text += isReady ? `"${value}"${end}` : stringifyValue(value, isText) + end
  }
  return new ElementText(text, count)
}

function stringifyValue(value: Json, isText: boolean): string {
  if (typeof value === 'string') return stringifyText(value)
  const text = isObject(value) ? stringifyFrozenArguments(value) : JSON.stringify(value)
  return isText ? JSON.stringify(text) : text
}

/**
 * Finds the values of a message in its text. `changed`: one of them is not in it. `ambiguous`: one of them occurs in other
 * places, too, so another message has to make the template.
 */
function findHoles(
  text: string,
  values: readonly Json[],
): Pick<Template, 'start' | 'holes'> | 'changed' | 'ambiguous' {
  const found: {
    readonly index: number
    readonly isText: boolean
    readonly from: number
    readonly to: number
  }[] = []
  for (const [index, value] of values.entries()) {
    const forms = isObject(value) ? [false, true] : [false]
    const places = forms.flatMap((isText) => {
      const needle = stringifyValue(value, isText)
      const from = text.indexOf(needle)
      if (from === -1) return []
      const isRepeated = text.includes(needle, from + 1)
      return [{ index, isText, from, to: from + needle.length, isRepeated }]
    })
    const [place] = places
    if (place === undefined) return 'changed'
    if (places.length > 1 || place.isRepeated) return 'ambiguous'
    found.push(place)
  }
  const places = found.toSorted((a, b) => a.from - b.from)
  if (places.some(({ to }, position) => to > (places[position + 1]?.from ?? text.length))) return 'ambiguous'
  return {
    start: text.slice(0, places[0]?.from),
    holes: places.map(({ index, isText, to }, position) => ({
      index,
      isText,
      end: text.slice(to, places[position + 1]?.from),
    })),
  }
}

/** Returns the keys from a path to one below it; undefined for any other path. */
function listKeysBelow(path: Path | undefined, below: Path | undefined): readonly Path['key'][] | undefined {
  const keys: Path['key'][] = []
  let step = below
  for (; step !== path && step !== undefined; step = step.parent) {
    if (step.originalPositions !== undefined) return undefined
    keys.unshift(step.key)
  }
  return step === path ? keys : undefined
}
