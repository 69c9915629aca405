import type { Json, JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { type ConversationRemainder, MESSAGES_PATH, type OpenItems } from '../engine/conversation-encoder.ts'
import { ElementText, parseElementTexts, type WrittenElement } from '../engine/element-text.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'

/** A message, or a part of it, as encoded for its turn. */
interface TurnFragment {
  readonly role: string
  readonly path: Path | undefined
  /** The text of the items, in place of the items of a simple message. */
  readonly itemsText?: ElementText | undefined
}

/** Returns the items of a fragment, or their text. */
export function splitItems(encoded: readonly WrittenElement[]): {
  readonly items: readonly Json[]
  readonly itemsText?: ElementText
} {
  const [only] = encoded
  if (only instanceof ElementText) return { items: [], itemsText: only }
  return { items: encoded as readonly Json[] }
}

/** A turn that is written as received. */
export interface ReceivedTurn {
  readonly wire: Json
}

/** The items of the first fragments of a turn, and a fragment without items in place of those fragments. */
interface DetachedItems<Fragment> extends OpenItems {
  readonly rest: Fragment
}

/** The way in which a dialect joins messages into turns. Leading system messages have a field of their own. */
export interface TurnWriterOptions<Fragment> {
  /** Encodes the leading system messages as fields of the request; undefined if they have no content. */
  encodeSystem(leading: readonly Fragment[]): JsonObject | undefined
  /** Returns true if a leading system message is a turn instead. */
  isSystemTurn?(fragment: Fragment, context: EncodeContext): boolean
  /** Returns true if a system message between a user turn and an assistant turn, or the end, can be a turn. */
  supportsSystemTurn?(context: EncodeContext): boolean
  /** Converts a system message that follows other turns to user text; undefined if it is omitted. */
  convertLaterSystem(fragment: Fragment, context: EncodeContext): Fragment | undefined
  /** Returns true if there is nothing to send. */
  isEmpty(fragment: Fragment): boolean
  /** Returns true if the content of a message joins the open turn. */
  shouldJoin(open: readonly Fragment[], next: Fragment): boolean
  /** Returns a fragment with other items, and without a text of its items. */
  withItems(fragment: Fragment, items: readonly Json[]): Fragment
  /** Encodes a turn; undefined if it has no content. */
  encodeTurn(turn: readonly Fragment[], context: EncodeContext): JsonObject | undefined
  /**
   * Detaches the items of a turn from all fragments but the last; undefined if the rest of the turn depends on them. Without this
   * function, a turn is written again for each message that joins it.
   */
  detachItems?(fragments: readonly Fragment[], last: Fragment): DetachedItems<Fragment> | undefined
  /** Returns true if the conversation may start with this turn, or started with it when it was received. */
  isValidStart(first: Fragment, wire: JsonObject): boolean
  /** The user turn that is inserted before an invalid start. */
  readonly openingTurn: JsonObject
  /** Adjusts the last turn of the conversation, if it is one of the assistant. */
  adjustLastTurn?(last: Fragment, wire: JsonObject, context: EncodeContext): JsonObject
}

/** Marks the items of a turn in its text. */
const ITEMS_PLACEHOLDER = 'the items of the turn'

/** Writes a conversation as turns. The last turn stays open until the next one starts. */
export abstract class TurnWriter<Fragment extends TurnFragment> {
  readonly #format: TurnWriterOptions<Fragment>
  #leading: Fragment[] = []
  #open: Fragment[] = []
  /** System messages after the open user turn: the next message decides whether they can be a turn. */
  #laterSystem: Fragment[] = []
  #closed: WrittenElement[] = []
  #hasWritten = false
  /** The path of an invalid start whose opening turn is written, but not yet reported. */
  #invalidStart: { readonly path: Path | undefined } | undefined
  /** The text before and after the items of a turn, by role. */
  readonly #turnTexts = new Map<string, readonly [start: string, end: string]>()

  constructor(format: TurnWriterOptions<Fragment>) {
    this.#format = format
  }

  /** Adds a message that is already encoded, or a turn that is written as received. */
  addFragment(fragment: Fragment | ReceivedTurn, context: EncodeContext): void {
    if ('wire' in fragment) {
      this.#placeLaterSystem(false, context)
      this.#close(context)
      this.#push(fragment.wire)
    } else if (this.#isLeading(fragment, context)) this.#leading.push(fragment)
    else if (fragment.itemsText === undefined && this.#format.isEmpty(fragment))
      context.report('empty-message', fragment.path)
    else if (this.#canBecomeTurn(fragment, context)) this.#laterSystem.push(fragment)
    else {
      this.#placeLaterSystem(fragment.role === 'assistant', context)
      this.#convertAndAdd(fragment, context)
    }
  }

  #canBecomeTurn(fragment: Fragment, context: EncodeContext): boolean {
    const isAfterUser = this.#open.at(-1)?.role === 'user'
    if (fragment.role !== 'system' || !isAfterUser || this.#format.isSystemTurn?.(fragment, context))
      return false
    return this.#format.supportsSystemTurn?.(context) === true
  }

  /** Writes the waiting system messages as a turn, or joins them to the open user turn. */
  #placeLaterSystem(isTurn: boolean, context: EncodeContext): void {
    const waiting = this.#laterSystem
    if (waiting.length === 0) return
    this.#laterSystem = []
    if (isTurn) {
      this.#close(context)
      this.#open = waiting
    } else for (const fragment of waiting) this.#convertAndAdd(fragment, context)
  }

  #convertAndAdd(fragment: Fragment, context: EncodeContext): void {
    const converted = this.#format.convertLaterSystem(fragment, context)
    if (converted !== undefined) this.#add(converted, context)
  }

  #isLeading(fragment: Fragment, context: EncodeContext): boolean {
    const isStart = this.#open.length === 0 && !this.#hasWritten
    return fragment.role === 'system' && isStart && this.#format.isSystemTurn?.(fragment, context) !== true
  }

  #add(fragment: Fragment, context: EncodeContext): void {
    if (this.#open.length > 0 && !this.#format.shouldJoin(this.#open, fragment)) this.#close(context)
    this.#open.push(fragment)
  }

  /** Returns the turns that no later message can join. */
  takeFinished(): readonly WrittenElement[] {
    const taken = this.#closed
    this.#closed = []
    return taken
  }

  /** Takes the items of the open turn, except for those of its last message: the end of the conversation may change them. */
  takeOpenItems(): OpenItems | undefined {
    if (this.#open.length < 3) return undefined
    this.#parseOpenItems()
    const [first] = this.#open
    const last = this.#open.at(-1)
    if (first === undefined || last === undefined) return undefined
    const detached = this.#format.detachItems?.(this.#open.slice(0, -1), last)
    if (detached === undefined) return undefined
    const wire = this.#hasWritten ? undefined : this.#format.encodeTurn(this.#open, noReport)
    if (wire !== undefined) this.#insertOpeningTurn(first, wire)
    this.#hasWritten = true
    this.#open = [detached.rest, last]
    return detached
  }

  /** Ends the conversation. An empty one gets a user turn, unless it was received empty. */
  end(empty: boolean, context: EncodeContext): ConversationRemainder {
    this.#placeLaterSystem(true, context)
    this.#close(context, true)
    if (!this.#hasWritten && !empty) {
      context.report('first-turn', MESSAGES_PATH)
      this.#push(this.#format.openingTurn)
    }
    const topLevelFields = this.#format.encodeSystem(this.#leading)
    return { remaining: this.takeFinished(), ...(topLevelFields !== undefined && { topLevelFields }) }
  }

  /** Joins the fragments of a received conversation; returns the fields of its request. */
  writeReceived(
    listKey: string,
    fragments: Iterable<Fragment | ReceivedTurn>,
    empty: boolean,
    context: EncodeContext,
  ): JsonObject {
    for (const fragment of fragments) this.addFragment(fragment, context)
    const { topLevelFields, remaining } = this.end(empty, context)
    return { ...topLevelFields, [listKey]: parseElementTexts(remaining) }
  }

  /** Copies the state to the writer of a fork. */
  protected copyTo<Writer extends TurnWriter<Fragment>>(other: Writer): Writer {
    other.#leading = [...this.#leading]
    other.#open = [...this.#open]
    other.#laterSystem = [...this.#laterSystem]
    other.#hasWritten = this.#hasWritten
    other.#invalidStart = this.#invalidStart
    return other
  }

  #close(context: EncodeContext, isLast = false): void {
    // Only a turn of the assistant is adjusted at the start or the end of a conversation.
    const isAdjusted = this.#open[0]?.role === 'assistant' && (isLast || !this.#hasWritten)
    const text = isAdjusted ? undefined : this.#stringifyOpen(context)
    if (text !== undefined) {
      this.#open = []
      return this.#push(text)
    }
    this.#parseOpenItems()
    const first = this.#open[0]
    const last = isLast && this.#format.adjustLastTurn ? this.#open.at(-1) : undefined
    const turn = first && this.#format.encodeTurn(this.#open, context)
    const wire = turn && last ? this.#format.adjustLastTurn?.(last, turn, context) : turn
    this.#open = []
    if (first === undefined || wire === undefined) return
    this.#insertOpeningTurn(first, wire)
    if (this.#invalidStart !== undefined) context.report('first-turn', this.#invalidStart.path)
    this.#invalidStart = undefined
    this.#push(wire)
  }

  /** Returns the text of the open turn; undefined if a message in it is not simple. */
  #stringifyOpen(context: EncodeContext): ElementText | undefined {
    const [first] = this.#open
    if (first === undefined) return undefined
    let items = ''
    for (const { itemsText } of this.#open) {
      if (itemsText === undefined) return undefined
      items = items === '' ? itemsText.text : `${items},${itemsText.text}`
    }
    const [start, end] = this.#getTurnText(first, context)
    return new ElementText(`${start}${items}${end}`, 1)
  }

  /** Returns what the encoder writes before and after the items of turns with this role. */
  #getTurnText(fragment: Fragment, context: EncodeContext): readonly [start: string, end: string] {
    const known = this.#turnTexts.get(fragment.role)
    if (known !== undefined) return known
    const turn = this.#format.encodeTurn([this.#format.withItems(fragment, [ITEMS_PLACEHOLDER])], context)
    const [start = '', end = ''] = JSON.stringify(turn).split(JSON.stringify(ITEMS_PLACEHOLDER))
    this.#turnTexts.set(fragment.role, [start, end])
    return [start, end]
  }

  /** Replaces the texts of items by the items. */
  #parseOpenItems(): void {
    this.#open = this.#open.map((each) =>
      each.itemsText === undefined ? each : this.#format.withItems(each, each.itemsText.parse()),
    )
  }

  #insertOpeningTurn(first: Fragment, wire: JsonObject): void {
    if (this.#hasWritten || this.#format.isValidStart(first, wire)) return
    this.#invalidStart = first
    this.#push(this.#format.openingTurn)
  }

  #push(wire: WrittenElement): void {
    this.#closed.push(wire)
    this.#hasWritten = true
  }
}
