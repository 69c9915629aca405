import { deriveRepairMessageId, createUniqueNamer } from '../../wire/unique-names.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import { omitUndefined } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part, ToolResultPart, UserPart } from '../model/part.ts'
import { isEmptyContent } from '../read/content-checks.ts'
import { toolResultsOf } from '../read/message-content.ts'
import type { PairedCall, PairedResult } from './call-matcher.ts'
import { pairCalls, snapshotMessages } from './call-pairing.ts'
import { addRepairMark, isSynthesizedResult, markRepaired } from './repair-marks.ts'
import { createMissingResult, describeUnpairedResult } from './result-text.ts'
import type { RepairContext } from './validation-rule.ts'

/** Groups items by key; groups and items keep their order of appearance. */
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

/** Replaces results that answer no call by a user message that describes them; added results are removed. */
export function replaceUnpairedResults(
  context: RepairContext,
  results: readonly PairedResult[],
  ruleOf: (result: PairedResult) => string,
): readonly Message[] {
  const { messages, report } = context
  const { rounds } = pairCalls(messages)
  const uniqueId = createUniqueMessageIds(messages)
  const replacements = new Map<number, readonly Message[]>()
  const insertions: MessageInsertion[] = []
  for (const [index, unpaired] of groupBy(results, (result) => result.message)) {
    const source = messages[index]
    if (source === undefined) continue
    for (const result of unpaired)
      report(isSynthesizedResult(result.value) ? 'removed' : 'described', result, ruleOf(result))
    const rules = [...new Set(unpaired.map(ruleOf))]
    const described = unpaired.map(({ value }) => value).filter((value) => !isSynthesizedResult(value))
    const content = described.flatMap(describeUnpairedResult)
    if (source.role === 'tool' && unpaired.length === source.content.length && content.length > 0) {
      replacements.set(index, [toUserMessage(source, content, rules)])
      continue
    }
    replacements.set(index, withoutResults(context, source, index, unpaired, rules))
    if (content.length === 0) continue
    const id = uniqueId(
      deriveRepairMessageId(rules.join(), [source.id, ...described.map(({ callId }) => callId)]),
    )
    const message = freezeCopy<Message>({ id, role: 'user', content, metadata: addRepairMark(rules) })
    insertions.push({ host: rounds.get(index) ?? index, message })
  }
  return insertMessages(messages, insertions, (message, index) => replacements.get(index) ?? [message])
}

/** Moves results behind the message of their call: as a whole tool message if possible, else in a new one. */
export function moveResultsBehindCalls(
  context: RepairContext,
  results: readonly PairedResult[],
): readonly Message[] {
  const { rule, messages, report } = context
  const resultsByMessage = groupBy(results, (result) => result.message)
  const uniqueId = createUniqueMessageIds(messages)
  const moved = new Set<number>()
  const insertions: MessageInsertion[] = []
  for (const [index, parts] of resultsByMessage) {
    const source = messages[index]
    if (source === undefined) continue
    const destinations = groupBy(parts, (result) => result.call?.message ?? index)
    const movesWhole =
      source.role === 'tool' && destinations.size === 1 && parts.length === toolResultsOf(source).length
    if (movesWhole) {
      moved.add(index)
      report('moved', { message: index })
    }
    for (const [host, group] of destinations) {
      if (movesWhole) {
        insertions.push({ host, message: markRepaired(source, rule) })
        continue
      }
      for (const result of group) report('moved', result)
      const sources = [source.id, messages[host]?.id ?? '']
      const content = group.map(({ value }) => value)
      const message = createResultMessage(rule, sources, content, uniqueId)
      insertions.push({ host, message, isFirst: host === index })
    }
  }
  return insertMessages(messages, insertions, (message, index) => {
    const removed = resultsByMessage.get(index)
    if (removed === undefined) return [message]
    return moved.has(index) ? [] : withoutResults(context, message, index, removed, [rule])
  })
}

/** Adds an error result for each of the given calls, in a new message behind the message of the calls. */
export function addResultsForOpenCalls(
  context: RepairContext,
  calls: readonly PairedCall[],
): readonly Message[] {
  const { rule, messages } = context
  const uniqueId = createUniqueMessageIds(messages)
  const metadata = addRepairMark(rule)
  const insertions = Array.from(
    groupBy(calls, (call) => call.message),
    ([host, round]) => {
      const content = round.map(({ value }) => ({ ...createMissingResult(value, value.id), metadata }))
      return { host, message: createResultMessage(rule, [messages[host]?.id ?? ''], content, uniqueId) }
    },
  )
  return insertMessages(messages, insertions, (message) => [message])
}

/** A message to insert behind the message at `host` and the results of its round, or before those results. */
interface MessageInsertion {
  readonly host: number
  readonly message: Message
  readonly isFirst?: boolean
}

function createUniqueMessageIds(messages: readonly Message[]): (id: string) => string {
  return createUniqueNamer(new Set(messages.map((message) => message.id)))
}

function createResultMessage(
  rule: string,
  sourceIds: readonly string[],
  content: readonly ToolResultPart[],
  uniqueId: (id: string) => string,
): Message {
  const id = uniqueId(deriveRepairMessageId(rule, [...sourceIds, ...content.map((part) => part.callId)]))
  return freezeCopy<Message>({ id, role: 'tool', content, metadata: addRepairMark(rule) })
}

/** Residue describes a tool message of its dialect, so it does not apply to the user message. */
function toUserMessage(source: Message, content: readonly UserPart[], rules: readonly string[]): Message {
  const { id, createdAt, parentId, name, metadata } = source
  return freezeCopy<Message>({
    id,
    role: 'user',
    content,
    ...omitUndefined({ createdAt, parentId, name }),
    metadata: addRepairMark(rules, metadata),
  })
}

function insertMessages(
  messages: readonly Message[],
  insertions: readonly MessageInsertion[],
  remaining: (message: Message, index: number) => readonly Message[],
): readonly Message[] {
  const { rounds } = pairCalls(messages)
  const insertionsByHost = groupBy(insertions, (insertion) => insertion.host)
  const list: Message[] = []
  const insert = (host: number, first: boolean): void => {
    for (const { message, isFirst = false } of insertionsByHost.get(host) ?? [])
      if (isFirst === first) list.push(message)
  }
  let host = -1
  for (const [index, message] of messages.entries()) {
    const continuesRound = rounds.has(index)
    if (!continuesRound) insert(host, false)
    for (const kept of remaining(message, index)) list.push(kept)
    if (continuesRound) continue
    insert(index, true)
    host = index
  }
  insert(host, false)
  return snapshotMessages(list)
}

/** Returns the message without the given results; none if it has no other content. */
function withoutResults(
  { report }: RepairContext,
  message: Message,
  index: number,
  removed: readonly PairedResult[],
  rules: readonly string[],
): readonly Message[] {
  const positions = new Set(removed.map((result) => result.part))
  const content = (message.content as readonly Part[]).filter((_part, position) => !positions.has(position))
  if (!isEmptyContent(content)) return [markRepaired(message, rules, { content })]
  report('removed', { message: index }, rules[0])
  return []
}
