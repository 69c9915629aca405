import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { ModelPicker } from '../chat/model-picker.tsx'
import { formatCount, toVisibleText } from '../format-values.ts'
import type { BranchTree } from './branch-tree.ts'
import type { MessageLoader } from './message-loader.ts'
import { TranscriptView } from './transcript-view.tsx'

interface CompareViewProps {
  readonly tree: BranchTree
  readonly head: string | undefined
  readonly loader: MessageLoader
  readonly isRunning: boolean
  /** Asks the selected model a question again. Returns the last message of its answer. */
  readonly onReplay: (question: string) => Promise<string | undefined>
}

/** Shows two branches side by side, from the message after which they differ. Another model can be asked for one of them. */
export function CompareView({ tree, head, loader, isRunning, onReplay }: CompareViewProps): VNode {
  const leaves = useMemo(() => tree.listLeaves(), [tree])
  const first = head ?? leaves[0] ?? ''
  const [chosenLeft, setLeft] = useState(first)
  const [chosenRight, setRight] = useState<string>()
  // A branch that continues, such as after an approval, is shown to its end.
  const left = tree.findLeaf(chosenLeft)
  const right = chosenRight === undefined ? leaves.find((leaf) => leaf !== left) : tree.findLeaf(chosenRight)
  const question = tree.findQuestion(left)
  const replay = async (): Promise<void> => {
    if (question !== undefined) setRight((await onReplay(question)) ?? chosenRight)
  }
  const paths = [tree.pathTo(left), tree.pathTo(right)] as const
  const shared = right === undefined ? 0 : countShared(paths[0], paths[1])
  return (
    <>
      <div class="row">
        <p class="muted small">
          {right === undefined
            ? 'This conversation has one branch. Ask another model to get a second one.'
            : `The branches share their first ${shared} messages. Below is what follows.`}
        </p>
        <span class="spacer" />
        <ModelPicker />
        <button
          type="button"
          title="The model answers the last question of the left branch; its answer is shown on the right."
          disabled={isRunning || question === undefined}
          onClick={() => void replay()}
        >
          Ask it too
        </button>
      </div>
      <div class="compare">
        <CompareSide
          {...{ tree, leaves, loader, path: paths[0], shared }}
          label="Left branch"
          selected={left}
          onSelect={setLeft}
        />
        {right !== undefined && (
          <CompareSide
            {...{ tree, leaves, loader, path: paths[1], shared }}
            label="Right branch"
            selected={right}
            onSelect={setRight}
          />
        )}
      </div>
    </>
  )
}

interface CompareSideProps extends BranchPickerProps {
  readonly path: readonly string[]
  /** The number of messages that both branches share. */
  readonly shared: number
  readonly loader: MessageLoader
}

function CompareSide({ path, shared, loader, ...picker }: CompareSideProps): VNode {
  const { tree } = picker
  const shown = path.slice(shared)
  const outputTokens = shown.reduce((sum, id) => sum + (tree.nodes.get(id)?.tokens ?? 0), 0)
  return (
    <div class="compare-side">
      <BranchPicker {...picker} />
      <p class="muted small">
        {formatCount(shown.length, 'message', 'messages')},{' '}
        {formatCount(outputTokens, 'output token', 'output tokens')}
      </p>
      <TranscriptView tree={tree} path={shown} loader={loader} actions={[]} />
    </div>
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
            {index + 1}. {toVisibleText(`${model} ${excerpt.slice(0, 60)}`)}
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
