import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { BranchTree } from './branch-tree.ts'
import type { MessageLoader } from './message-loader.ts'
import { Transcript } from './transcript.tsx'

interface CompareViewProps {
  readonly tree: BranchTree
  readonly head: string | undefined
  readonly loader: MessageLoader
}

/** Shows two branches side by side, from the message after which they differ. */
export function CompareView({ tree, head, loader }: CompareViewProps): VNode {
  const leaves = useMemo(() => tree.listLeaves(), [tree])
  const first = head ?? leaves[0] ?? ''
  const [left, setLeft] = useState(first)
  const [right, setRight] = useState(leaves.find((leaf) => leaf !== first) ?? first)
  const paths = [tree.pathTo(left), tree.pathTo(right)] as const
  const shared = countShared(paths[0], paths[1])
  if (leaves.length < 2)
    return (
      <p class="muted">
        This conversation has one branch. Edit a message, regenerate an answer or replay it with another model
        to get a second one.
      </p>
    )
  return (
    <>
      <p class="muted small">The branches share their first {shared} messages. Below is what follows.</p>
      <div class="compare">
        {([setLeft, setRight] as const).map((choose, side) => (
          <div key={side} class="compare-side">
            <BranchPicker
              label={side === 0 ? 'Left branch' : 'Right branch'}
              tree={tree}
              leaves={leaves}
              selected={side === 0 ? left : right}
              onSelect={choose}
            />
            <Transcript tree={tree} path={(paths[side] ?? []).slice(shared)} loader={loader} actions={[]} />
          </div>
        ))}
      </div>
    </>
  )
}

interface BranchPickerProps {
  readonly label: string
  readonly tree: BranchTree
  readonly leaves: readonly string[]
  readonly selected: string
  readonly onSelect: (leaf: string) => void
}

function BranchPicker({ label, tree, leaves, selected, onSelect }: BranchPickerProps): VNode {
  return (
    <select
      aria-label={label}
      value={selected}
      onChange={({ currentTarget }) => onSelect(currentTarget.value)}
    >
      {leaves.map((leaf, index) => {
        const { excerpt = '', model = '' } = tree.nodes.get(leaf) ?? {}
        return (
          <option key={leaf} value={leaf}>
            {index + 1}. {model} {excerpt.slice(0, 60)}
          </option>
        )
      })}
    </select>
  )
}

/** Returns the number of messages with which both paths start. */
function countShared(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((id, index) => id !== right[index])
  return end === -1 ? left.length : end
}
