import type { Message } from '../../canonical/model/message.ts'
import { throwInvalid } from '../../canonical/shape/shape.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'

/** A node of a conversation with branches. */
export interface TreeNode<T> {
  readonly id: string
  /** The id of the parent; a node whose parent does not exist is a root. */
  readonly parent: string | undefined
  readonly path: Path
  readonly value: T
}

/** Returns the nodes with parents before children, and siblings in their order. A cycle and a repeated id are errors. */
export function sortByParent<T>(nodes: readonly TreeNode<T>[]): readonly TreeNode<T>[] {
  const ids = new Set<string>()
  const children = new Map<string | undefined, TreeNode<T>[]>()
  for (const node of nodes) {
    if (ids.has(node.id)) throwInvalid('invalid-value', node.path, 'the id of another message', 'a unique id')
    ids.add(node.id)
  }
  for (const node of nodes) {
    const parent = node.parent !== undefined && ids.has(node.parent) ? node.parent : undefined
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [node])
    else siblings.push(node)
  }
  const sorted: TreeNode<T>[] = []
  const open = (children.get(undefined) ?? []).toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    sorted.push(node)
    for (const next of (children.get(node.id) ?? []).toReversed()) open.push(next)
  }
  if (sorted.length === nodes.length) return sorted
  const reached = new Set(sorted.map(({ id }) => id))
  const { path } = nodes.find(({ id }) => !reached.has(id)) ?? { path: child(undefined, 0) }
  return throwInvalid('cyclic', path, 'a parent that follows from itself', 'a tree')
}

/** Returns the message with another parent, or without one. */
export function withParent<T extends Message>(message: T, parent: { readonly id: string } | undefined): T {
  const { parentId: _parentId, ...rest } = message
  return freezeOwned({ ...rest, ...(parent !== undefined && { parentId: parent.id }) }) as unknown as T
}

/** The messages of a tree: the current branch, and all messages with their parents if there are other branches. */
export interface MessageTree {
  readonly branch: readonly Message[]
  readonly allMessages?: readonly Message[]
}

/**
 * Builds the messages of sorted nodes. A node without a message is skipped: its children follow the nearest message before it.
 * The current branch ends at `head`; without one, at the last node that is no parent.
 */
export function buildMessageTree(
  sorted: readonly TreeNode<Message | undefined>[],
  head: string | undefined,
): MessageTree {
  const parents = new Map<string, string | undefined>()
  const nearest = new Map<string, Message>()
  const all: Message[] = []
  for (const { id, parent, value } of sorted) {
    parents.set(id, parent)
    const before = parent === undefined ? undefined : nearest.get(parent)
    const message = value === undefined ? before : withParent(value, before)
    if (message === undefined) continue
    nearest.set(id, message)
    if (value !== undefined) all.push(message)
  }
  const end = head !== undefined && parents.has(head) ? head : sorted.at(-1)?.id
  const byId = new Map(all.map((message) => [message.id, message]))
  const branch: Message[] = []
  for (let message = end === undefined ? undefined : nearest.get(end); message !== undefined;) {
    branch.push(withParent(message, undefined))
    message = message.parentId === undefined ? undefined : byId.get(message.parentId)
  }
  branch.reverse()
  return {
    branch: Object.freeze(branch),
    ...(branch.length < all.length && { allMessages: Object.freeze(all) }),
  }
}
