import type { Message } from '../../canonical/model/message.ts'
import { checkAndFreezeMessage } from '../../canonical/shape/message.ts'
import type { TranscriptIssue, TranscriptRecord, TranscriptSection } from './transcript.ts'

/** An element of the tree: the messages of one record, or a record without messages that links others. */
interface TreeNode {
  readonly parent: string | undefined
  readonly messages: readonly Message[]
  readonly at: TranscriptRecord
  /** The id of its last message, or of the last one of its ancestors; undefined before it was written. */
  lastId?: string | undefined
  state: 'waiting' | 'open' | 'written'
}

/** What a tree shares with the other trees of its session. */
export interface TreeContext {
  /** Returns a storable id that no other message of the session has: the given one, if possible. */
  claimId(given: string): string
  addIssue(at: TranscriptRecord, code: TranscriptIssue['code'], message: string): void
}

/**
 * Collects the messages of one agent with the links that their records have. Links to missing records start a branch, and links
 * that form a circle are removed: every message is in the result exactly once, and the work is linear.
 */
export class TranscriptTree {
  /** The record that the current branch ends at. */
  head: string | undefined
  readonly #context: TreeContext
  readonly #nodes = new Map<string, TreeNode>()
  readonly #aliases = new Map<string, string>()

  constructor(context: TreeContext) {
    this.#context = context
  }

  /** Adds the messages of a record after those of its parent. Returns false if the id is already in use. */
  add(id: string, parent: string | undefined, messages: readonly Message[], at: TranscriptRecord): boolean {
    if (this.has(id)) return false
    this.#nodes.set(id, { parent, messages, at, state: 'waiting' })
    return true
  }

  /** Adds the messages of a record after the head, and makes them the head. */
  append(id: string, messages: readonly Message[], at: TranscriptRecord): void {
    if (this.add(id, this.head, messages, at)) this.head = id
  }

  /** Makes links to one id lead to another one. */
  addAlias(id: string, target: string): void {
    if (!this.has(id)) this.#aliases.set(id, target)
  }

  has(id: string): boolean {
    return this.#nodes.has(id) || this.#aliases.has(id)
  }

  /** Returns the section: all messages with their ids and links, parents before children. */
  finish(name: string): TranscriptSection {
    const messages: Message[] = []
    for (const node of this.#nodes.values()) this.#write(node, messages)
    const head = this.head === undefined ? undefined : this.#find(this.head)?.lastId
    return Object.freeze({ name, ...(head !== undefined && { head }), messages: Object.freeze(messages) })
  }

  #find(id: string): TreeNode | undefined {
    return this.#nodes.get(id) ?? this.#nodes.get(this.#aliases.get(id) ?? '')
  }

  /** Writes a node after its ancestors, without recursion: a branch may have any length. */
  #write(start: TreeNode, messages: Message[]): void {
    const path: TreeNode[] = []
    let parentId: string | undefined
    for (let node: TreeNode | undefined = start; node !== undefined;) {
      if (node.state === 'written') {
        parentId = node.lastId
        break
      }
      node.state = 'open'
      path.push(node)
      node = this.#findParent(node)
    }
    for (const node of path.reverse()) {
      for (const [index, message] of node.messages.entries()) {
        const id = this.#context.claimId(index === 0 ? message.id : `${message.id}.${index + 1}`)
        const linked = { ...message, id, ...(parentId !== undefined && { parentId }) }
        messages.push(checkAndFreezeMessage(linked as Message, undefined))
        parentId = id
      }
      node.lastId = parentId
      node.state = 'written'
    }
  }

  #findParent({ parent, at }: TreeNode): TreeNode | undefined {
    if (parent === undefined) return undefined
    const found = this.#find(parent)
    if (found === undefined)
      this.#context.addIssue(at, 'missing-parent', 'The record that this one follows is not in the file.')
    if (found?.state !== 'open') return found
    this.#context.addIssue(at, 'cyclic', 'The record follows itself; the link was removed.')
    return undefined
  }
}
