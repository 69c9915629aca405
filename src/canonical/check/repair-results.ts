import { freezeCopy } from '../../wire/frozen-json.ts'
import type { Message } from '../model/message.ts'
import type { Part, ToolResultPart } from '../model/part.ts'
import { isEmptyContent } from '../read/content-checks.ts'
import { addRepairMark, markRepaired } from './repair-marks.ts'
import { deriveMessageId, createUniqueNames } from '../../wire/unique-names.ts'
import { type PairedResult, snapshotMessages } from './call-pairing.ts'
import type { Repair } from './rule.ts'

/** One rule's repair under way: whose it is, what it works on, and who hears of it. */
export interface RepairContext {
  readonly rule: string
  readonly messages: readonly Message[]
  readonly report: (repair: Repair) => void
}

/** A place in the list, as a JSON pointer. */
export function toMessagePath({
  message,
  part,
}: {
  readonly message: number
  readonly part?: number
}): string {
  return part === undefined ? `/${message}` : `/${message}/content/${part}`
}

/** Collects items under their keys, both in order of appearance. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/** The list without the given results; a message that has nothing left goes too. */
export function removeResults(work: RepairContext, results: readonly PairedResult[]): readonly Message[] {
  const { rule, messages, report } = work
  for (const result of results) report({ rule, action: 'removed', path: toMessagePath(result) })
  const leaving = groupBy(results, (result) => result.message)
  return snapshotMessages(
    messages.flatMap((message, index) => withoutResults(work, message, index, leaving.get(index))),
  )
}

/**
 * The list with each of the given results behind the message of its call. A message that consists of results with one
 * destination moves as it is; other results move into a new message.
 */
export function moveResults(work: RepairContext, results: readonly PairedResult[]): readonly Message[] {
  const { messages } = work
  const resultsByMessage = groupBy(results, (result) => result.message)
  const freeId = createUniqueMessageIds(messages)
  const moved = new Set<number>()
  const arrivals = Array.from(resultsByMessage).flatMap(([index, parts]) => {
    const source = messages[index]
    if (source === undefined) return []
    const destinations = groupBy(parts, (result) => result.call?.message ?? index)
    if (source.role !== 'tool' || destinations.size > 1 || parts.length < source.content.length) {
      return moveParts(work, source, destinations, freeId)
    }
    moved.add(index)
    return moveMessage(work, source, index, destinations)
  })
  return insertAfterHosts(messages, arrivals, (message, index) =>
    moved.has(index) ? [] : withoutResults(work, message, index, resultsByMessage.get(index)),
  )
}

/** The list with the given results in a new message behind the message of their calls. */
export function addResults(
  work: RepairContext,
  results: ReadonlyMap<number, readonly ToolResultPart[]>,
): readonly Message[] {
  const { rule, messages } = work
  const freeId = createUniqueMessageIds(messages)
  const arrivals = Array.from(results, ([host, parts]) => {
    const id = freeId(deriveMessageId(rule, [messages[host]?.id ?? '', ...parts.map((part) => part.callId)]))
    return { host, message: createResultMessage(rule, id, parts) }
  })
  return insertAfterHosts(messages, arrivals, (message) => [message])
}

/** A message that is to stand behind the message at `host`. */
interface MessageInsertion {
  readonly host: number
  readonly message: Message
}

type Destinations = ReadonlyMap<number, readonly PairedResult[]>

function moveMessage(
  { rule, report }: RepairContext,
  source: Message,
  index: number,
  destinations: Destinations,
): MessageInsertion[] {
  report({ rule, action: 'moved', path: toMessagePath({ message: index }) })
  return Array.from(destinations.keys(), (host) => ({ host, message: markRepaired(source, rule) }))
}

function moveParts(
  work: RepairContext,
  source: Message,
  destinations: Destinations,
  freeId: (id: string) => string,
): MessageInsertion[] {
  const { rule, messages, report } = work
  return Array.from(destinations, ([host, results]) => {
    for (const result of results) report({ rule, action: 'moved', path: toMessagePath(result) })
    const parts = results.map((result) => result.value)
    const ids = [source.id, messages[host]?.id ?? '', ...parts.map((part) => part.callId)]
    return { host, message: createResultMessage(rule, freeId(deriveMessageId(rule, ids)), parts) }
  })
}

function createUniqueMessageIds(messages: readonly Message[]): (id: string) => string {
  return createUniqueNames(new Set(messages.map((message) => message.id)))
}

function createResultMessage(rule: string, id: string, content: readonly ToolResultPart[]): Message {
  return freezeCopy<Message>({ id, role: 'tool', content, metadata: addRepairMark(rule) })
}

/** Puts each arrival behind its host and the tool messages that follow the host. */
function insertAfterHosts(
  messages: readonly Message[],
  arrivals: readonly MessageInsertion[],
  remaining: (message: Message, index: number) => readonly Message[],
): readonly Message[] {
  const arriving = groupBy(arrivals, (arrival) => arrival.host)
  const list: Message[] = []
  const insertFor = (host: number): void => arriving.get(host)?.forEach(({ message }) => list.push(message))
  let host = -1
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') {
      insertFor(host)
      host = index
    }
    list.push(...remaining(message, index))
  }
  insertFor(host)
  return snapshotMessages(list)
}

/** What is left of a message when results leave it. */
function withoutResults(
  { rule, report }: RepairContext,
  message: Message,
  index: number,
  leaving: readonly PairedResult[] | undefined,
): readonly Message[] {
  if (leaving === undefined) return [message]
  const removedPositions = new Set(leaving.map((result) => result.part))
  const content = (message.content as readonly Part[]).filter(
    (_part, position) => !removedPositions.has(position),
  )
  if (!isEmptyContent(content)) return [markRepaired(message, rule, { content })]
  report({ rule, action: 'removed', path: toMessagePath({ message: index }) })
  return []
}
