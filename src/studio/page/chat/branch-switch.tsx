import type { VNode } from 'preact'
import { chat } from './chat-state.ts'

/** Switches between the branches that start with a message, if there are several. */
export function BranchSwitch({ id }: { readonly id: string }): VNode | null {
  const branches = chat.tree.value.siblingsOf(id)
  const index = branches.indexOf(id)
  if (branches.length < 2 || index === -1) return null
  const renderButton = (label: string, sign: string, target: string | undefined): VNode => (
    <button
      type="button"
      class="plain"
      aria-label={label}
      disabled={target === undefined || chat.isRunning.value}
      onClick={() => target !== undefined && void chat.selectBranch(target)}
    >
      {sign}
    </button>
  )
  return (
    <span class="branch-switch muted small" role="group" aria-label="Branches of this message">
      {renderButton('Previous branch', '‹', branches[index - 1])}
      {index + 1} of {branches.length}
      {renderButton('Next branch', '›', branches[index + 1])}
    </span>
  )
}
