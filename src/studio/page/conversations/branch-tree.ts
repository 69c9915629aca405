import type { SessionTreeNode } from '../../api/contract.ts'

/** The last column of the drawing. */
const MAX_LANE = 8

/** A message as a row of the drawn tree. */
export interface TreeRow {
  readonly node: SessionTreeNode
  /** The column of its dot. */
  readonly lane: number
  /** The columns in which a line passes the row from top to bottom, beside its own dot. */
  readonly passing: readonly number[]
  /** The column from which a line bends into this row, if a branch starts here. */
  readonly bendsFrom?: number
  /** True if a line connects its dot with the row above, in the same column. */
  readonly hasLineAbove: boolean
  /** True if a line leaves its dot downwards. */
  readonly hasLineBelow: boolean
  readonly isOnPath: boolean
}

/** The messages of a session by their relations. */
export class BranchTree {
  readonly nodes: ReadonlyMap<string, SessionTreeNode>
  readonly #children = new Map<string, string[]>()

  constructor(nodes: readonly SessionTreeNode[]) {
    this.nodes = new Map(nodes.map((node) => [node.id, node]))
    for (const { id, parent = '' } of nodes) {
      const key = this.nodes.has(parent) ? parent : ''
      const siblings = this.#children.get(key)
      if (siblings === undefined) this.#children.set(key, [id])
      else siblings.push(id)
    }
  }

  /** Returns the messages that follow one; without an id, the first ones. */
  childrenOf(id = ''): readonly string[] {
    return this.#children.get(id) ?? []
  }

  /** Returns the messages that follow the same one as a message, which is among them. */
  siblingsOf(id: string): readonly string[] {
    return this.childrenOf(this.nodes.get(this.nodes.get(id)?.parent ?? '')?.id)
  }

  /** Returns the question that a message answers: the nearest message of the user up to it. */
  findQuestion(id: string): string | undefined {
    let node = this.nodes.get(id)
    while (node !== undefined && node.role !== 'user') node = this.nodes.get(node.parent ?? '')
    return node?.id
  }

  /** Returns the ids from the first message to one. */
  pathTo(id: string | undefined): readonly string[] {
    const path: string[] = []
    for (let node = this.nodes.get(id ?? ''); node !== undefined; node = this.nodes.get(node.parent ?? ''))
      path.push(node.id)
    return path.toReversed()
  }

  /** Returns the last message of the branch that continues a message: the first child each time. */
  findLeaf(id: string): string {
    let leaf = id
    for (let [next] = this.childrenOf(leaf); next !== undefined; [next] = this.childrenOf(leaf)) leaf = next
    return leaf
  }

  /** Returns the messages without successors. */
  listLeaves(): readonly string[] {
    return [...this.nodes.keys()].filter((id) => this.childrenOf(id).length === 0)
  }

  /**
   * Returns the rows of the drawing. The path to `head` stays in the first column; the other branches of a message follow it, each
   * one column further right than the message, before the path continues.
   */
  drawRows(head: string | undefined): readonly TreeRow[] {
    const onPath = new Set(this.pathTo(head))
    const rows: TreeRow[] = []
    /** The messages still to draw, the next one last; a branch that starts has the column it bends from. */
    const open: PendingRow[] = this.#order('', onPath)
      .map((id): PendingRow => ({ id, lane: 0, passing: [], hasLineAbove: false }))
      .toReversed()
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { id, lane, passing, bendsFrom, hasLineAbove } = next
      const node = this.nodes.get(id)
      if (node === undefined) continue
      const [main, ...branches] = this.#order(id, onPath)
      rows.push({
        node,
        lane,
        passing,
        hasLineAbove,
        hasLineBelow: main !== undefined,
        isOnPath: onPath.has(id),
        ...(bendsFrom !== undefined && { bendsFrom }),
      })
      if (main === undefined) continue
      // The main line passes the rows of the branches, which are drawn before it continues.
      open.push({ id: main, lane, passing, hasLineAbove: true })
      for (const branch of branches.toReversed())
        open.push({
          id: branch,
          lane: Math.min(lane + 1, MAX_LANE),
          // Deeper columns are drawn on top of each other.
          passing: lane < MAX_LANE ? [...passing, lane] : passing,
          bendsFrom: lane,
          hasLineAbove: false,
        })
    }
    return rows
  }

  /** Returns the children of a message, the one on the path first. */
  #order(id: string, onPath: ReadonlySet<string>): readonly string[] {
    const children = this.childrenOf(id)
    const main = children.find((child) => onPath.has(child)) ?? children[0]
    return main === undefined ? [] : [main, ...children.filter((child) => child !== main)]
  }
}

interface PendingRow {
  readonly id: string
  readonly lane: number
  readonly passing: readonly number[]
  readonly bendsFrom?: number
  readonly hasLineAbove: boolean
}
