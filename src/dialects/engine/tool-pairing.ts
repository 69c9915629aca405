import type { LossRule } from '../../canonical/model/loss.ts'
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../canonical/model/message.ts'
import type {
  MediaPart,
  Part,
  ToolCallPart,
  ToolResultContent,
  ToolResultPart,
  UserPart,
} from '../../canonical/model/part.ts'
import type { Path } from '../../wire/json-pointer.ts'
import {
  createResultTextFallback,
  isMediaPart,
  createNoResultPart,
  createResultMessage,
  MEDIA_INTRODUCTION,
  createMediaReference,
} from './tool-pairing-text.ts'
import type { EngineHint } from './hints.ts'
import { getHints, type Slot, slotOf } from './residue-slots.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** A message to write and its path in the request. */
export interface PlacedMessage {
  readonly message: Message
  readonly path: Path | undefined
}

/** Reports a rule that was applied to a message or to one of its parts. */
type ReportRule = (rule: LossRule, unit: { readonly message: number; readonly part?: number }) => void

/** A tool call that has no result yet. */
interface OpenCall {
  readonly call: ToolCallPart
  readonly message: number
  readonly part: number
  /** The id under which the call is sent. */
  readonly sentId: string
}

/** Returns true if a tool result cannot contain the part but a user message can. */
export type ShouldMoveToUser = (part: MediaPart, result: ToolResultPart) => boolean

/** A message that can be written, and its index in the conversation. */
export interface PairedMessage {
  readonly message: Message
  readonly index: number
  /** The original positions of its parts, for a message that was changed or created. */
  readonly positions?: readonly number[]
}

/** The results of a tool message, separated by whether a call expects them. */
interface MatchedResults {
  readonly results: PairedMessage
  /** A user message that describes the results without a call. */
  readonly described?: PairedMessage
}

/**
 * Puts tool calls and tool results in the order that providers require. It processes one message at a time
 * and looks only at earlier messages, so that the encoding of a growing conversation stays the same. Messages
 * between a call and its result are held back; calls that have no result when the next assistant message
 * starts get a generated one.
 */
export class ToolPairing {
  readonly #slot: Slot<EngineHint>
  readonly #report: ReportRule
  /** The number of uses of each call id. */
  readonly #idUses: Map<string, number>
  /** Calls without a result by their original id; the first call of an id gets the first result. */
  #openCalls = new Map<string, OpenCall[]>()
  /** The number of calls in {@link #openCalls}. */
  #openCallCount = 0
  #heldMessages: PairedMessage[] = []
  /** Media of results, which follow in user messages when all results are written. */
  #movedMedia: PairedMessage[] = []
  readonly #shouldMoveToUser: ShouldMoveToUser

  constructor(
    slot: string,
    report: ReportRule,
    shouldMoveToUser: ShouldMoveToUser = () => false,
    idUses: Map<string, number> = new Map(),
  ) {
    this.#slot = slotOf(slot)
    this.#report = report
    this.#shouldMoveToUser = shouldMoveToUser
    this.#idUses = idUses
  }

  /** Returns a copy in the same state, which is flushed and discarded: no assistant message is added to it. */
  fork(report: ReportRule): ToolPairing {
    const other = new ToolPairing(this.#slot, report, this.#shouldMoveToUser, this.#idUses)
    for (const [id, waiting] of this.#openCalls) other.#openCalls.set(id, [...waiting])
    other.#openCallCount = this.#openCallCount
    other.#heldMessages = [...this.#heldMessages]
    other.#movedMedia = [...this.#movedMedia]
    return other
  }

  /** Adds a message and returns the messages that can be written now. */
  add(message: Message, index: number): readonly PairedMessage[] {
    if (message.role === 'assistant') {
      const before = this.flush()
      const added = this.#addAssistant(message, index)
      return before.length === 0 ? added : [...before, ...added]
    }
    if (message.role === 'tool') return this.#addResults(message, index)
    if (this.#openCallCount === 0 || this.#isPreserved(message)) return [{ message, index }]
    this.#heldMessages.push({ message, index })
    return []
  }

  /**
   * Returns the messages that must be written before the next assistant message or at the end: generated
   * results for open calls, then the messages that were held back.
   */
  flush(): readonly PairedMessage[] {
    if (this.#openCallCount === 0 && this.#heldMessages.length === 0) return []
    const waiting = [...this.#openCalls.values()].flat().filter(({ call }) => !this.#isPreserved(call))
    this.#openCalls = new Map()
    this.#openCallCount = 0
    const held = this.#takeHeld()
    if (waiting.length === 0) return held
    for (const { message, part } of waiting) this.#report('orphan-call', { message, part })
    const message = createResultMessage(waiting.map(({ call, sentId }) => createNoResultPart(call, sentId)))
    const positions = waiting.map(({ part }) => part)
    return [{ message, index: waiting[0]?.message ?? 0, positions }, ...held]
  }

  #addAssistant(message: AssistantMessage, index: number): readonly PairedMessage[] {
    const { content } = message
    if (!content.some(({ type }) => type === 'tool-call' || type === 'tool-result'))
      return [{ message, index }]
    const parts = content.map((part, position) =>
      isApplicationCall(part) ? this.#openCall(part, index, position) : part,
    )
    const misplaced = new Map<number, ToolResultPart>()
    parts.forEach((part, position) => {
      if (part.type === 'tool-result' && this.#isMisplaced(part, index, position))
        misplaced.set(position, part)
    })
    if (misplaced.size === 0) return [createPaired(message, parts, index)]
    const positions = [...parts.keys()].filter((position) => !misplaced.has(position))
    const remaining = { ...message, content: parts.filter((_part, position) => !misplaced.has(position)) }
    const results = createResultMessage([...misplaced.values()])
    return [
      { message: remaining, index, positions },
      ...this.#addResults(results, index, [...misplaced.keys()]),
    ]
  }

  /** Opens a call and returns it with an id that no earlier call has. */
  #openCall(call: ToolCallPart, message: number, part: number): ToolCallPart {
    const isDuplicate = this.#idUses.has(call.id) && !this.#isPreserved(call)
    const id = isDuplicate ? this.#createUnusedId(call.id) : call.id
    if (isDuplicate) this.#report('duplicate-call-id', { message, part })
    this.#idUses.set(id, this.#idUses.get(id) ?? 1)
    const waiting = this.#openCalls.get(call.id) ?? []
    waiting.push({ call, message, part, sentId: id })
    this.#openCallCount += 1
    this.#openCalls.set(call.id, waiting)
    return isDuplicate ? { ...call, id } : call
  }

  #createUnusedId(id: string): string {
    let uses = this.#idUses.get(id) ?? 1
    do uses += 1
    while (this.#idUses.has(`${id}_${uses}`))
    this.#idUses.set(id, uses)
    return `${id}_${uses}`
  }

  /** Returns true for a result inside an assistant message whose call the application runs. */
  #isMisplaced(part: ToolResultPart, message: number, position: number): boolean {
    if (!this.#openCalls.has(part.callId)) return false
    if (this.#isPreserved(part)) {
      this.#closeCall(part.callId)
      return false
    }
    this.#report('misplaced-result', { message, part: position })
    return true
  }

  /** Adds a tool message: results with an open call are written now, others are described. */
  #addResults(message: ToolMessage, index: number, positions?: readonly number[]): readonly PairedMessage[] {
    const countBefore = this.#openCallCount
    const { results, described } = this.#matchResults(message, index, positions)
    const hasMatches = this.#openCallCount < countBefore
    for (const held of hasMatches ? this.#heldMessages : [])
      this.#report('late-result', { message: held.index })
    const isWritten = hasMatches || this.#isPreserved(message)
    if (!isWritten && (results.message.content.length > 0 || described === undefined))
      this.#heldMessages.push(results)
    if (described !== undefined) this.#heldMessages.push(described)
    const released = this.#openCallCount === 0 ? this.#takeHeld() : []
    return isWritten ? [results, ...released] : released
  }

  /** Returns the messages that were held back, once no call is open. */
  #takeHeld(): readonly PairedMessage[] {
    return [...this.#movedMedia.splice(0), ...this.#heldMessages.splice(0)]
  }

  /** Separates the results that a call expects from those to describe. */
  #matchResults(message: ToolMessage, index: number, positions?: readonly number[]): MatchedResults {
    const { id, name, content } = message
    const getPosition = (at: number): number => positions?.[at] ?? at
    const results = content.map((part, at) =>
      part.type === 'tool-result' ? this.#matchResult(part, id, index, getPosition(at)) : part,
    )
    if (hasNoGaps(results)) return { results: createPaired(message, results, index, positions) }
    const matched = results.filter((part) => part !== undefined)
    const matchedPositions = [...results.keys()].filter((at) => results[at] !== undefined).map(getPosition)
    const fallbacks = content.flatMap((part, at) => {
      if (part.type !== 'tool-result' || results[at] !== undefined) return []
      const position = getPosition(at)
      this.#report('orphan-result', { message: index, part: position })
      return createResultTextFallback(part).map((fallback) => ({ fallback, position }))
    })
    const description: UserMessage = {
      id,
      role: 'user',
      content: fallbacks.map(({ fallback }) => fallback),
      ...(matched.length === 0 && name !== undefined && { name }),
    }
    return {
      results: createPaired(message, matched, index, matchedPositions),
      described: { message: description, index, positions: fallbacks.map(({ position }) => position) },
    }
  }

  /** Returns a result with the id under which its call was sent; undefined if no call expects it. */
  #matchResult(
    part: ToolResultPart,
    id: string,
    index: number,
    position: number,
  ): ToolResultPart | undefined {
    const open = this.#closeCall(part.callId)
    if (open === undefined) return this.#isPreserved(part) ? part : undefined
    const result = open.sentId === part.callId ? part : { ...part, callId: open.sentId }
    return this.#moveMedia(result, id, index, position)
  }

  /** Returns a result without the media that only a user message can contain; they follow the results. */
  #moveMedia(result: ToolResultPart, id: string, index: number, position: number): ToolResultPart {
    const isMoved = (part: ToolResultContent): part is MediaPart =>
      isMediaPart(part) && this.#shouldMoveToUser(part, result)
    const media = result.content.filter(isMoved)
    if (media.length === 0) return result
    this.#report('media-after', { message: index, part: position })
    const content: readonly UserPart[] = [{ type: 'text', text: MEDIA_INTRODUCTION }, ...media]
    this.#movedMedia.push({
      message: { id, role: 'user', content },
      index,
      positions: content.map(() => position),
    })
    return {
      ...result,
      content: result.content.map((part) => (isMoved(part) ? createMediaReference(part) : part)),
    }
  }

  /** Removes and returns the open call that a result belongs to. */
  #closeCall(callId: string): OpenCall | undefined {
    const waiting = this.#openCalls.get(callId)
    const open = waiting?.shift()
    if (waiting?.length === 0) this.#openCalls.delete(callId)
    if (open !== undefined) this.#openCallCount -= 1
    return open
  }

  #isPreserved(unit: Part | Message): boolean {
    return getHints(unit, this.#slot)['preserveInvalid'] === true
  }
}

/** Returns a message with new content, or the same message if its content is the same. */
function createPaired<T extends AssistantMessage | ToolMessage>(
  message: T,
  content: T['content'],
  index: number,
  positions?: readonly number[],
): PairedMessage {
  const isSame =
    content.length === message.content.length && content.every((part, at) => part === message.content[at])
  const paired = isSame ? message : ({ ...message, content } as T)
  return positions === undefined ? { message: paired, index } : { message: paired, index, positions }
}

function hasNoGaps<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined)
}
