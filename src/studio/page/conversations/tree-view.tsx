import type { VNode } from 'preact'
import { useMemo } from 'preact/hooks'
import { toVisibleText } from '../format-values.ts'
import { VirtualList } from '../virtual-list.tsx'
import type { BranchTree, TreeRow } from './branch-tree.ts'

const ROW_HEIGHT = 34
const LANE_WIDTH = 18

interface TreeViewProps {
  readonly tree: BranchTree
  readonly head: string | undefined
  readonly selected: string | undefined
  readonly onSelect: (id: string) => void
}

/** Draws the branches of a conversation as a tree, one message per row. */
export function TreeView({ tree, head, selected, onSelect }: TreeViewProps): VNode {
  const rows = useMemo(() => tree.drawRows(head), [tree, head])
  const target = useMemo(() => rows.findIndex(({ node }) => node.id === selected), [rows, selected])
  return (
    <VirtualList
      label="Branches"
      class="branch-tree"
      count={rows.length}
      estimatedHeight={ROW_HEIGHT}
      target={target}
      keyOf={(index) => rows[index]?.node.id ?? ''}
      render={(index) => {
        const row = rows[index]
        return row && <Row row={row} isSelected={row.node.id === selected} onSelect={onSelect} />
      }}
    />
  )
}

interface RowProps {
  readonly row: TreeRow
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
}

function Row({ row, isSelected, onSelect }: RowProps): VNode {
  const { id, role, excerpt, model } = row.node
  return (
    <button
      type="button"
      class={`tree-row plain ${row.isOnPath ? 'is-on-path' : ''}`}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
      onKeyDown={moveFocus}
    >
      <Rails row={row} />
      <span class={`role role-${role}`}>{role}</span>
      <span class="excerpt">{toVisibleText(excerpt) || '(no text)'}</span>
      {model !== undefined && <span class="badge">{toVisibleText(model)}</span>}
    </button>
  )
}

/** Moves the focus to the row above or below with the arrow keys: a tree may have thousands of rows. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const row = event.currentTarget.closest('.virtual-row')
  const next = { ArrowUp: row?.previousElementSibling, ArrowDown: row?.nextElementSibling }[event.key]
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.querySelector('button')?.focus()
}

/** The lines of a row: those that pass it, and its own dot. */
function Rails({ row }: { readonly row: TreeRow }): VNode {
  const { lane, passing, bendsFrom, hasLineAbove, hasLineBelow } = row
  const x = (column: number): number => column * LANE_WIDTH + LANE_WIDTH / 2
  const middle = ROW_HEIGHT / 2
  const lines = [
    ...passing.map((column) => `M${x(column)} 0V${ROW_HEIGHT}`),
    ...(hasLineAbove ? [`M${x(lane)} 0V${middle}`] : []),
    ...(hasLineBelow ? [`M${x(lane)} ${middle}V${ROW_HEIGHT}`] : []),
    ...(bendsFrom === undefined ? [] : [`M${x(bendsFrom)} 0Q${x(bendsFrom)} ${middle} ${x(lane)} ${middle}`]),
  ]
  const width = (lane + 1) * LANE_WIDTH
  return (
    <svg class="rails" width={width} height={ROW_HEIGHT} aria-hidden="true">
      <path d={lines.join('')} />
      <circle cx={x(lane)} cy={middle} r="4.5" />
    </svg>
  )
}
