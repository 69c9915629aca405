import type { Message } from '../../canonical/model/message.ts'
import { textOf } from '../../canonical/read/message-content.ts'

/** A message of a {@link NaiveSession}. */
export interface NaiveMessage {
  readonly text: string
  readonly parent: string | null
  /** Value of `metadata.note`, if any. */
  readonly note?: string
}

/** A section of a {@link NaiveSession}. */
export interface NaiveSection {
  readonly messages: Map<string, NaiveMessage>
  head: string | null
}

/**
 * The simplest model of a session: every section is a map of messages with their parents. A fork is a copy and shares
 * nothing, so no operation on one session can affect another.
 */
export class NaiveSession {
  readonly sections: Map<string, NaiveSection> = new Map()
  readonly labels: Map<string, Set<string>> = new Map()

  /** Returns a section, which is created if it does not exist. */
  section(name: string): NaiveSection {
    const found = this.sections.get(name) ?? { messages: new Map(), head: null }
    this.sections.set(name, found)
    return found
  }

  /** Returns the ids of all messages with their sections. */
  ids(): readonly (readonly [id: string, section: string])[] {
    return [...this.sections].flatMap(([name, { messages }]) =>
      [...messages.keys()].map((id) => [id, name] as const),
    )
  }

  append(section: string, messages: readonly Message[]): void {
    const target = this.section(section)
    for (const message of messages) {
      const note = message.metadata?.['note']
      const parent = target.head
      const noted = typeof note === 'string' && { note }
      target.messages.set(message.id, { text: textOf(message), parent, ...noted })
      target.head = message.id
    }
  }

  remove(section: string, id: string): void {
    const { messages } = this.section(section)
    const parent = messages.get(id)?.parent ?? null
    messages.delete(id)
    for (const [other, message] of messages)
      if (message.parent === id) messages.set(other, { ...message, parent })
    if (this.section(section).head === id) this.section(section).head = parent
    this.removeOrphanLabels()
  }

  /** Removes a message and its descendants, and makes its parent the head. */
  removeSubtree(section: string, id: string): void {
    const target = this.section(section)
    target.head = target.messages.get(id)?.parent ?? null
    const gone = new Set([id])
    // Children are inserted after their parents, but may have been attached to others since.
    for (const doomed of gone)
      for (const [other, { parent }] of target.messages) if (parent === doomed) gone.add(other)
    for (const each of gone) target.messages.delete(each)
  }

  removeOrphanLabels(): void {
    const ids = new Set(this.ids().map(([id]) => id))
    for (const id of this.labels.keys()) if (!ids.has(id)) this.labels.delete(id)
  }

  /** Returns a complete copy. */
  copy(): NaiveSession {
    const copy = new NaiveSession()
    for (const [name, { messages, head }] of this.sections)
      copy.sections.set(name, { messages: new Map(messages), head })
    for (const [id, labels] of this.labels) copy.labels.set(id, new Set(labels))
    return copy
  }

  /** Returns a copy of the paths to the heads, or to a message in its section, without labels. */
  fork(at?: string): NaiveSession {
    const fork = new NaiveSession()
    for (const [name, { messages, head }] of this.sections) {
      const end = at !== undefined && messages.has(at) ? at : head
      const path = listPath({ messages, head }, end)
      fork.sections.set(name, { messages: new Map(path), head: end })
    }
    return fork
  }
}

/** Returns the messages from the first one to a given one, by default the head. */
export function listPath(
  { messages, head }: NaiveSection,
  to: string | null = head,
): readonly (readonly [id: string, message: NaiveMessage])[] {
  const path: (readonly [string, NaiveMessage])[] = []
  for (let id = to; id !== null;) {
    const message = messages.get(id)
    if (message === undefined) break
    path.push([id, message])
    id = message.parent
  }
  return path.toReversed()
}

/** Returns the ids of the messages without successors. */
export function listBranchHeads({ messages }: NaiveSection): readonly string[] {
  const parents = new Set([...messages.values()].map(({ parent }) => parent))
  return [...messages.keys()].filter((id) => !parents.has(id))
}
