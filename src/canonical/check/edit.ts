import { frozenCopy } from '../../wire/frozen.ts'
import type { Message } from '../model/message.ts'
import type { Part, ToolResultPart } from '../model/part.ts'
import { isEmptyContent } from '../read/state.ts'
import { markOf, touched } from './mark.ts'
import { derivedId, freeNames } from './names.ts'
import { type Result, snapshot } from './pairing.ts'
import type { Repair } from './rule.ts'

/** One rule's repair under way: whose it is, what it works on, and who hears of it. */
export interface Work {
  readonly rule: string
  readonly messages: readonly Message[]
  readonly report: (repair: Repair) => void
}

/** A place in the list, as a JSON pointer. */
export function pathTo({ message, part }: { readonly message: number; readonly part?: number }): string {
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
export function removeResults(work: Work, results: readonly Result[]): readonly Message[] {
  const { rule, messages, report } = work
  for (const result of results) report({ rule, action: 'removed', path: pathTo(result) })
  const leaving = groupBy(results, (result) => result.message)
  return snapshot(messages.flatMap((message, index) => remainder(work, message, index, leaving.get(index))))
}

/**
 * The list with each of the given results behind the message of its call. A message that consists of results with one
 * destination moves as it is; other results move into a new message.
 */
export function moveResults(work: Work, results: readonly Result[]): readonly Message[] {
  const { messages } = work
  const leaving = groupBy(results, (result) => result.message)
  const freeId = freeMessageIds(messages)
  const moved = new Set<number>()
  const arrivals = Array.from(leaving).flatMap(([index, parts]) => {
    const source = messages[index]
    if (source === undefined) return []
    const destinations = groupBy(parts, (result) => result.call?.message ?? index)
    if (source.role !== 'tool' || destinations.size > 1 || parts.length < source.content.length) {
      return moveParts(work, source, destinations, freeId)
    }
    moved.add(index)
    return moveWhole(work, source, index, destinations)
  })
  return place(messages, arrivals, (message, index) =>
    moved.has(index) ? [] : remainder(work, message, index, leaving.get(index)),
  )
}

/** The list with the given results in a new message behind the message of their calls. */
export function addResults(
  work: Work,
  results: ReadonlyMap<number, readonly ToolResultPart[]>,
): readonly Message[] {
  const { rule, messages } = work
  const freeId = freeMessageIds(messages)
  const arrivals = Array.from(results, ([host, parts]) => {
    const id = freeId(derivedId(rule, [messages[host]?.id ?? '', ...parts.map((part) => part.callId)]))
    return { host, message: resultMessage(rule, id, parts) }
  })
  return place(messages, arrivals, (message) => [message])
}

/** A message that is to stand behind the message at `host`. */
interface Arrival {
  readonly host: number
  readonly message: Message
}

type Destinations = ReadonlyMap<number, readonly Result[]>

function moveWhole(
  { rule, report }: Work,
  source: Message,
  index: number,
  destinations: Destinations,
): Arrival[] {
  report({ rule, action: 'moved', path: pathTo({ message: index }) })
  return Array.from(destinations.keys(), (host) => ({ host, message: touched(source, rule) }))
}

function moveParts(
  work: Work,
  source: Message,
  destinations: Destinations,
  freeId: (id: string) => string,
): Arrival[] {
  const { rule, messages, report } = work
  return Array.from(destinations, ([host, results]) => {
    for (const result of results) report({ rule, action: 'moved', path: pathTo(result) })
    const parts = results.map((result) => result.value)
    const ids = [source.id, messages[host]?.id ?? '', ...parts.map((part) => part.callId)]
    return { host, message: resultMessage(rule, freeId(derivedId(rule, ids)), parts) }
  })
}

function freeMessageIds(messages: readonly Message[]): (id: string) => string {
  return freeNames(new Set(messages.map((message) => message.id)))
}

function resultMessage(rule: string, id: string, content: readonly ToolResultPart[]): Message {
  return frozenCopy<Message>({ id, role: 'tool', content, metadata: markOf(rule) })
}

/** Puts each arrival behind its host and the tool messages that follow the host. */
function place(
  messages: readonly Message[],
  arrivals: readonly Arrival[],
  keep: (message: Message, index: number) => readonly Message[],
): readonly Message[] {
  const arriving = groupBy(arrivals, (arrival) => arrival.host)
  const list: Message[] = []
  const settle = (host: number): void => arriving.get(host)?.forEach(({ message }) => list.push(message))
  let host = -1
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') {
      settle(host)
      host = index
    }
    list.push(...keep(message, index))
  }
  settle(host)
  return snapshot(list)
}

/** What is left of a message when results leave it. */
function remainder(
  { rule, report }: Work,
  message: Message,
  index: number,
  leaving: readonly Result[] | undefined,
): readonly Message[] {
  if (leaving === undefined) return [message]
  const gone = new Set(leaving.map((result) => result.part))
  const content = (message.content as readonly Part[]).filter((_part, position) => !gone.has(position))
  if (!isEmptyContent(content)) return [touched(message, rule, { content })]
  report({ rule, action: 'removed', path: pathTo({ message: index }) })
  return []
}
