import { CallMatcher, type PairedCall, type PairedResult } from '../../canonical/check/call-matcher.ts'
import { createMissingResult, describeUnpairedResult } from '../../canonical/check/result-text.ts'
import type { MessagePosition } from '../../canonical/check/validation-rule.ts'
import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../canonical/model/message.ts'
import type {
  AssistantPart,
  MediaPart,
  Part,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { isEmptyContent } from '../../canonical/read/content-checks.ts'
import { listRawResults } from '../../canonical/read/message-content.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { createUniqueNamer } from '../../wire/unique-names.ts'
import { createPairedMessage, createResultMessage, type PairedMessage } from './paired-messages.ts'
import { splitMediaFromResult } from './split-result-media.ts'
import type { SimpleMessage } from './simple-message-reader.ts'
import type { EngineHint, CallIdHint } from './residue-hints.ts'
import { addHints, getHints, type Slot, defineSlot } from './residue-slots.ts'

/** A message to be written, and its path in the request. */
export interface MessageWithPath {
  readonly message: Message
  readonly path: Path | undefined
  /** The values of a simple message, if only its text is needed. */
  readonly simple?: SimpleMessage | undefined
}

/** Reports that a rule changed a message, or a part of it. */
export type RuleReporter = (rule: DialectLossRule, position: MessagePosition) => void

/** The features of tool results that a dialect cannot write. */
export interface ToolResultLimits {
  /** Returns true if the result cannot contain the part, but a user message can. */
  readonly shouldMoveToUser: (part: MediaPart, result: ToolResultPart) => boolean
  /** Returns true if the name of the result is not written. A name that repeats that of the call is not lost. */
  readonly omitsName: (result: ToolResultPart) => boolean
}

const NO_MESSAGES: readonly PairedMessage[] = []

const NO_LIMITS: ToolResultLimits = { shouldMoveToUser: () => false, omitsName: () => false }

/** The results of one message: their matches, by position, and their original positions, if they changed. */
interface ResultRound extends PairedMessage {
  readonly message: ToolMessage
  readonly matches: readonly (PairedResult | undefined)[]
}

/**
 * Arranges calls and results in the order that providers require. It decides like `repair`, with the same matches and the
 * same rules, but one message at a time: a conversation that grows never changes what was already written. Messages between
 * a call and its results are held back until the results are written. When the next assistant message begins, the calls
 * that are still open get an error result. A result that comes later, or before its call, is written as text; `repair`,
 * which sees the complete conversation, moves it to its call.
 */
export class ToolPairing {
  readonly #slot: Slot<EngineHint | CallIdHint>
  readonly #report: RuleReporter
  readonly #limits: ToolResultLimits
  readonly #matcher: CallMatcher
  readonly #usedIds = new Set<string>()
  readonly #uniqueId = createUniqueNamer(this.#usedIds)
  #newIds = new Map<PairedCall, string>()
  #heldMessages: PairedMessage[] = []
  /** Media of results, to be written in a user message after all results of the round. */
  #movedMedia: PairedMessage[] = []

  constructor(
    slot: string,
    report: RuleReporter,
    limits: ToolResultLimits = NO_LIMITS,
    matcher: CallMatcher = new CallMatcher(),
  ) {
    this.#slot = defineSlot(slot)
    this.#report = report
    this.#limits = limits
    this.#matcher = matcher
  }

  /** Returns a copy in the same state that can be flushed; no message may be added to it. */
  fork(report: RuleReporter): ToolPairing {
    const copy = new ToolPairing(this.#slot, report, this.#limits, this.#matcher.fork())
    copy.#newIds = this.#newIds
    copy.#heldMessages = [...this.#heldMessages]
    copy.#movedMedia = [...this.#movedMedia]
    return copy
  }

  /** Adds a message and returns the messages that can be written now. */
  add(message: Message, index: number): readonly PairedMessage[] {
    if (message.role === 'assistant') {
      const before = this.flush()
      const turn = this.#addAssistant(message, index)
      return before.length === 0 ? turn : [...before, ...turn]
    }
    const answeredByRaw = this.#addRawResults(message, index)
    if (answeredByRaw !== undefined) return answeredByRaw
    if (message.role === 'tool') {
      const matches = message.content.map((part, position) =>
        part.type === 'tool-result' ? this.#matcher.addResult(part, index, position, false) : undefined,
      )
      return this.#addRound({ message, index, matches })
    }
    if (this.#matcher.openCount === 0 || this.#isPreserved(message)) return [{ message, index }]
    this.#heldMessages.push({ message, index })
    return []
  }

  /** Returns error results for the open calls, then the held messages: before an assistant message, and at the end. */
  flush(): readonly PairedMessage[] {
    if (this.#matcher.openCount === 0 && this.#heldMessages.length === 0) return NO_MESSAGES
    const unanswered = this.#matcher.closeCalls().filter(({ value }) => !this.#isPreserved(value))
    const held = this.#takeHeld()
    const [first] = unanswered
    if (first === undefined) return held
    for (const { message, part } of unanswered) this.#report('orphan-call', { message, part })
    const added = createResultMessage(
      unanswered.map((call) =>
        this.#withCallId({ call, value: createMissingResult(call.value, call.value.id) }),
      ),
    )
    return [{ message: added, index: first.message, positions: unanswered.map(({ part }) => part) }, ...held]
  }

  /** Adds the results in a raw message of this dialect; returns undefined if they answer no open call. */
  #addRawResults(message: Message, index: number): readonly PairedMessage[] | undefined {
    const results = listRawResults(message, this.#slot)
    if (results.length === 0) return undefined
    const matches = results.map((result) => this.#matcher.addResult(result, index, 0, false))
    if (!matches.some(({ kind }) => kind === 'answer')) return undefined
    for (const held of this.#heldMessages) this.#report('late-result', { message: held.index })
    return [{ message, index }, ...(this.#matcher.openCount === 0 ? this.#takeHeld() : NO_MESSAGES)]
  }

  #addAssistant(message: AssistantMessage, index: number): readonly PairedMessage[] {
    const withCalls = this.#addCalls(message.content, index)
    if (!hasResults(withCalls))
      return [
        { message: withCalls === message.content ? message : { ...message, content: withCalls }, index },
      ]
    const removed = new Map<number, PairedResult>()
    const content = withCalls.map((part, position): AssistantPart => {
      const match = part.type === 'tool-result' && this.#matcher.addResult(part, index, position, true)
      if (match && this.#isMisplaced(match)) removed.set(position, match)
      return match ? this.#withCallId(match) : part
    })
    if (removed.size === 0) return [createPairedMessage(message, content, index)]
    const kept = content.filter((_part, position) => !removed.has(position))
    const matches = [...removed.values()]
    const moved = createResultMessage(matches.map(({ value }) => value))
    const { name } = message
    // The name belongs to what remains of the message.
    const named = isEmptyContent(kept) && name !== undefined ? { ...moved, name } : moved
    const written = this.#addRound({ message: named, index, matches, positions: [...removed.keys()] })
    if (isEmptyContent(kept)) return written
    const positions = [...content.keys()].filter((position) => !removed.has(position))
    return [{ message: { ...message, content: kept }, index, positions }, ...written]
  }

  /** Adds the calls of a message. Returns the same list if no id changed. */
  #addCalls(content: readonly AssistantPart[], message: number): readonly AssistantPart[] {
    let changed: AssistantPart[] | undefined
    let position = 0
    for (const part of content) {
      const call = part.type === 'tool-call' ? this.#addCall(part, message, position) : part
      if (call !== part) (changed ??= [...content])[position] = call
      position++
    }
    return changed ?? content
  }

  /** Adds a call. A call with the id of an earlier one gets another id. */
  #addCall(call: ToolCallPart, message: number, part: number): ToolCallPart {
    const paired = this.#matcher.addCall(call, message, part)
    if (!this.#usedIds.has(call.id) || this.#isPreserved(call)) {
      this.#usedIds.add(call.id)
      return call
    }
    this.#report('duplicate-call-id', { message, part })
    const id = this.#uniqueId(call.id)
    this.#newIds.set(paired, id)
    return { ...call, id }
  }

  /** Returns true for a result in an assistant message that belongs to a call of the application. */
  #isMisplaced({ kind, call, value, message, part }: PairedResult): boolean {
    if (call === undefined || call.value.executedBy === 'provider' || this.#isPreserved(value)) return false
    if (kind === 'answer') this.#report('misplaced-result', { message, part })
    return true
  }

  /** Writes the results of open calls; other results are written as text when no call is open. */
  #addRound(round: ResultRound): readonly PairedMessage[] {
    const { results, described } = this.#splitRound(round)
    const isAnswer = round.matches.some((match) => match?.kind === 'answer')
    for (const { index } of isAnswer ? this.#heldMessages : [])
      this.#report('late-result', { message: index })
    const isWritten = isAnswer || this.#isPreserved(round.message)
    if (!isWritten && (results.message.content.length > 0 || described === undefined))
      this.#heldMessages.push(results)
    if (described !== undefined) this.#heldMessages.push(described)
    const held = this.#matcher.openCount === 0 ? this.#takeHeld() : NO_MESSAGES
    if (!isWritten) return held
    return held.length === 0 ? [results] : [results, ...held]
  }

  #takeHeld(): readonly PairedMessage[] {
    if (this.#movedMedia.length === 0 && this.#heldMessages.length === 0) return NO_MESSAGES
    return [...this.#movedMedia.splice(0), ...this.#heldMessages.splice(0)]
  }

  /** Separates the results that stay results from those without an open call, which become text. */
  #splitRound({ message, index, matches, positions }: ResultRound): {
    readonly results: PairedMessage
    readonly described?: PairedMessage
  } {
    const { id, name } = message
    const positionOf = (position: number): number => positions?.[position] ?? position
    const results = message.content.map((part, position) => {
      const match = matches[position]
      return match === undefined ? part : this.#writeResult(match, id)
    })
    if (hasNoGaps(results)) return { results: createPairedMessage(message, results, index, positions) }
    const texts = matches.flatMap((match, position) => {
      if (match === undefined || results[position] !== undefined) return []
      // A call that was closed without a result has no answer.
      const rule = match.call?.answer === undefined ? 'orphan-result' : 'duplicate-result'
      this.#report(rule, { message: index, part: positionOf(position) })
      return describeUnpairedResult(match.value).map((part) => ({ part, position: positionOf(position) }))
    })
    const kept = results.filter((part) => part !== undefined)
    const keptPositions = [...results.keys()].filter((position) => results[position] !== undefined)
    const user: UserMessage = {
      id,
      role: 'user',
      content: texts.map(({ part }) => part),
      ...(kept.length === 0 && name !== undefined && { name }),
    }
    return {
      results: createPairedMessage(message, kept, index, keptPositions.map(positionOf)),
      described: { message: user, index, positions: texts.map(({ position }) => position) },
    }
  }

  /** Returns the result of an open call; undefined for a result that becomes text. */
  #writeResult(match: PairedResult, id: string): ToolResultPart | undefined {
    if (match.kind === 'answer') {
      this.#reportOmittedName(match)
      return this.#moveMedia(this.#withCallId(match), match, id)
    }
    return this.#isPreserved(match.value) ? match.value : undefined
  }

  #reportOmittedName({ call, value, message, part }: PairedResult): void {
    const isRepeated = value.name === undefined || value.name === call?.value.name
    if (!isRepeated && this.#limits.omitsName(value)) this.#report('result-name', { message, part })
  }

  /** Returns the result with the id under which its call is written: a new one, or one that the host accepted. */
  #withCallId({ call, value }: Pick<PairedResult, 'call' | 'value'>): ToolResultPart {
    if (call === undefined) return value
    const callId = this.#newIds.get(call)
    const result = callId === undefined ? value : { ...value, callId }
    const acceptedId = this.#hasAcceptedId(call.value)
    return acceptedId === this.#hasAcceptedId(value) ? result : addHints(result, this.#slot, { acceptedId })
  }

  #hasAcceptedId(unit: ToolCallPart | ToolResultPart): boolean {
    return getHints(unit, this.#slot)['acceptedId'] === true
  }

  /** Returns the result without media that must be written in a user message after the round. */
  #moveMedia(result: ToolResultPart, { message: index, part }: PairedResult, id: string): ToolResultPart {
    const split = splitMediaFromResult(result, this.#limits.shouldMoveToUser)
    if (split === undefined) return result
    this.#report('media-after', { message: index, part })
    const message: UserMessage = { id, role: 'user', content: split.userContent }
    this.#movedMedia.push({ message, index, positions: split.userContent.map(() => part) })
    return split.result
  }

  #isPreserved(unit: Part | Message): boolean {
    return getHints(unit, this.#slot)['preserveInvalid'] === true
  }
}

function hasResults(content: readonly AssistantPart[]): boolean {
  for (const { type } of content) if (type === 'tool-result') return true
  return false
}

function hasNoGaps<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined)
}
