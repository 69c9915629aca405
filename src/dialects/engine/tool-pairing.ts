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

/** A message to be written, and where it stands in the request. */
export interface PlacedMessage {
  readonly message: Message
  readonly path: Path | undefined
}

/** What is wrong: a rule, and where it acts. */
type ReportRule = (rule: LossRule, unit: { readonly message: number; readonly part?: number }) => void

/** A call without a result so far. */
interface OpenCall {
  readonly call: ToolCallPart
  readonly message: number
  readonly part: number
  /** The id under which it goes out. */
  readonly sentId: string
}

/** Whether a result cannot hold a part of it that the user can show. */
export type ShouldMoveToUser = (part: MediaPart, result: ToolResultPart) => boolean

/** A message of the conversation as it can be written, and its position there. */
export interface PairedMessage {
  readonly message: Message
  readonly index: number
  /** Where its parts stood, for one that is not what it was. */
  readonly positions?: readonly number[]
}

/** A round of results as it can be written. */
interface MatchedResults {
  readonly results: PairedMessage
  /** What is told in words. */
  readonly described?: PairedMessage
}

/**
 * Puts calls and results in the order that providers ask for, one message at a time and looking only at what came before,
 * so that a conversation that grows stays as it was written. While calls wait for their results, what others say is held
 * back; when the model speaks again, the calls that still wait get a result that says so.
 */
export class ToolPairing {
  readonly #slot: Slot<EngineHint>
  readonly #report: ReportRule
  /** How often each id was used. */
  readonly #idUses: Map<string, number>
  /** Calls that wait, by the id that they came with; the first of an id is answered first. */
  #openCalls = new Map<string, OpenCall[]>()
  /** How many of them there are. */
  #openCallCount = 0
  #heldMessages: PairedMessage[] = []
  /** What results showed, for the user to show when all of them are there. */
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

  /** Another that stands where this one does, to be settled and thrown away; it takes no further answers. */
  fork(act: ReportRule): ToolPairing {
    const other = new ToolPairing(this.#slot, act, this.#shouldMoveToUser, this.#idUses)
    for (const [id, waiting] of this.#openCalls) other.#openCalls.set(id, [...waiting])
    other.#openCallCount = this.#openCallCount
    other.#heldMessages = [...this.#heldMessages]
    other.#movedMedia = [...this.#movedMedia]
    return other
  }

  /** The messages that can be written now that this one came. */
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

  /** What must be written before the model speaks, or at the end: results for calls that wait, then what was held back. */
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

  /** The call under an id that no call before it has. */
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

  /** A result among the words of the answer whose call the application runs. */
  #isMisplaced(part: ToolResultPart, message: number, at: number): boolean {
    if (!this.#openCalls.has(part.callId)) return false
    if (this.#isPreserved(part)) {
      this.#closeCall(part.callId)
      return false
    }
    this.#report('misplaced-result', { message, part: at })
    return true
  }

  /** A round of results: those that a call waits for go out now; the others are told in words. */
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

  /** What can be said now that no call waits. */
  #takeHeld(): readonly PairedMessage[] {
    return [...this.#movedMedia.splice(0), ...this.#heldMessages.splice(0)]
  }

  /** What of a round stays results, and what is told in words. */
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

  /** A result as its call knows it; undefined for one that no call waits for. */
  #matchResult(part: ToolResultPart, id: string, index: number, at: number): ToolResultPart | undefined {
    const open = this.#closeCall(part.callId)
    if (open === undefined) return this.#isPreserved(part) ? part : undefined
    const result = open.sentId === part.callId ? part : { ...part, callId: open.sentId }
    return this.#moveMedia(result, id, index, at)
  }

  /** A result without what only the user can show, which is said after the round. */
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

  /** The call that a result of this id answers; it waits no longer. */
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

/** A message with its content as it can be written: the very same one where nothing changed. */
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
