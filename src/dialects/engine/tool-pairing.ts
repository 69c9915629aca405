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
    act: ReportRule,
    shows: ShouldMoveToUser = () => false,
    uses: Map<string, number> = new Map(),
  ) {
    this.#slot = slotOf(slot)
    this.#report = act
    this.#shouldMoveToUser = shows
    this.#idUses = uses
  }

  /** Returns a copy in the same state, which is flushed and discarded: no assistant message is added to it. */
  fork(act: ReportRule): ToolPairing {
    const other = new ToolPairing(this.#slot, act, this.#shouldMoveToUser, this.#idUses)
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
      const answer = this.#addAssistant(message, index)
      return before.length === 0 ? answer : [...before, ...answer]
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
    const made = createResultMessage(waiting.map(({ call, sentId }) => createNoResultPart(call, sentId)))
    const positions = waiting.map(({ part }) => part)
    return [{ message: made, index: waiting[0]?.message ?? 0, positions }, ...held]
  }

  #addAssistant(message: AssistantMessage, index: number): readonly PairedMessage[] {
    const { content } = message
    if (!content.some(({ type }) => type === 'tool-call' || type === 'tool-result'))
      return [{ message, index }]
    const said = content.map((part, at) => (isApplicationCall(part) ? this.#openCall(part, index, at) : part))
    const leaving = new Map<number, ToolResultPart>()
    said.forEach((part, at) => {
      if (part.type === 'tool-result' && this.#isMisplaced(part, index, at)) leaving.set(at, part)
    })
    if (leaving.size === 0) return [createPaired(message, said, index)]
    const stays = [...said.keys()].filter((at) => !leaving.has(at))
    const kept = { ...message, content: said.filter((_part, at) => !leaving.has(at)) }
    const rounds = this.#addResults(createResultMessage([...leaving.values()]), index, [...leaving.keys()])
    return [{ message: kept, index, positions: stays }, ...rounds]
  }

  /** Opens a call and returns it with an id that no earlier call has. */
  #openCall(call: ToolCallPart, message: number, part: number): ToolCallPart {
    const again = this.#idUses.has(call.id) && !this.#isPreserved(call)
    const id = again ? this.#freeId(call.id) : call.id
    if (again) this.#report('duplicate-call-id', { message, part })
    this.#idUses.set(id, this.#idUses.get(id) ?? 1)
    const waiting = this.#openCalls.get(call.id) ?? []
    waiting.push({ call, message, part, sentId: id })
    this.#openCallCount += 1
    this.#openCalls.set(call.id, waiting)
    return again ? { ...call, id } : call
  }

  #freeId(id: string): string {
    let uses = this.#idUses.get(id) ?? 1
    do uses += 1
    while (this.#idUses.has(`${id}_${uses}`))
    this.#idUses.set(id, uses)
    return `${id}_${uses}`
  }

  /** Returns true for a result inside an assistant message whose call the application runs. */
  #isMisplaced(part: ToolResultPart, message: number, at: number): boolean {
    if (!this.#openCalls.has(part.callId)) return false
    if (this.#isPreserved(part)) {
      this.#closeCall(part.callId)
      return false
    }
    this.#report('misplaced-result', { message, part: at })
    return true
  }

  /** Adds a tool message: results with an open call are written now, others are described. */
  #addResults(message: ToolMessage, index: number, stood?: readonly number[]): readonly PairedMessage[] {
    const waiting = this.#openCallCount
    const { results, described } = this.#matchResults(message, index, stood)
    const answers = this.#openCallCount < waiting
    for (const { index: between } of answers ? this.#heldMessages : [])
      this.#report('late-result', { message: between })
    const now = answers || this.#isPreserved(message)
    if (!now && (results.message.content.length > 0 || described === undefined))
      this.#heldMessages.push(results)
    if (described !== undefined) this.#heldMessages.push(described)
    const held = this.#openCallCount === 0 ? this.#takeHeld() : []
    return now ? [results, ...held] : held
  }

  /** Returns the messages that were held back, once no call is open. */
  #takeHeld(): readonly PairedMessage[] {
    return [...this.#movedMedia.splice(0), ...this.#heldMessages.splice(0)]
  }

  /** Separates the results that a call expects from those to describe. */
  #matchResults(message: ToolMessage, index: number, stood?: readonly number[]): MatchedResults {
    const { id, name, content } = message
    const at = (position: number): number => stood?.[position] ?? position
    const results = content.map((part, position) =>
      part.type === 'tool-result' ? this.#matchResult(part, id, index, at(position)) : part,
    )
    if (hasNoGaps(results)) return { results: createPaired(message, results, index, stood) }
    const kept = results.filter((part) => part !== undefined)
    const keptAt = [...results.keys()].filter((position) => results[position] !== undefined).map(at)
    const words = content.flatMap((part, position) => {
      if (part.type !== 'tool-result' || results[position] !== undefined) return []
      this.#report('orphan-result', { message: index, part: at(position) })
      return createResultTextFallback(part).map((word) => ({ word, at: at(position) }))
    })
    const spoken = words.map(({ word }) => word)
    const named = kept.length === 0 && name !== undefined ? { name } : {}
    const told: UserMessage = { id, role: 'user', content: spoken, ...named }
    return {
      results: createPaired(message, kept, index, keptAt),
      described: { message: told, index, positions: words.map((each) => each.at) },
    }
  }

  /** Returns a result with the id under which its call was sent; undefined if no call expects it. */
  #matchResult(part: ToolResultPart, id: string, index: number, at: number): ToolResultPart | undefined {
    const open = this.#closeCall(part.callId)
    if (open === undefined) return this.#isPreserved(part) ? part : undefined
    const result = open.sentId === part.callId ? part : { ...part, callId: open.sentId }
    return this.#moveMedia(result, id, index, at)
  }

  /** Returns a result without the media that only a user message can contain; they follow the results. */
  #moveMedia(result: ToolResultPart, id: string, index: number, at: number): ToolResultPart {
    const shows = (part: ToolResultContent): part is MediaPart =>
      isMediaPart(part) && this.#shouldMoveToUser(part, result)
    const media = result.content.filter(shows)
    if (media.length === 0) return result
    this.#report('media-after', { message: index, part: at })
    const content: readonly UserPart[] = [{ type: 'text', text: MEDIA_INTRODUCTION }, ...media]
    this.#movedMedia.push({ message: { id, role: 'user', content }, index, positions: content.map(() => at) })
    return {
      ...result,
      content: result.content.map((part) => (shows(part) ? createMediaReference(part) : part)),
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
  const same =
    content.length === message.content.length && content.every((part, at) => part === message.content[at])
  const settled = same ? message : ({ ...message, content } as T)
  return positions === undefined ? { message: settled, index } : { message: settled, index, positions }
}

function hasNoGaps<T>(list: readonly (T | undefined)[]): list is readonly T[] {
  return !list.includes(undefined)
}
