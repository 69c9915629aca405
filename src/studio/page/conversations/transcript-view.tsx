import type { ComponentChildren, VNode } from 'preact'
import type { Message } from '../../../canonical/model/message.ts'
import { type MessageAction, MessageView } from '../messages/message-view.tsx'
import { toVisibleText } from '../format-values.ts'
import { VirtualList } from '../virtual-list.tsx'
import type { BranchTree } from './branch-tree.ts'
import type { MessageLoader } from './message-loader.ts'

interface TranscriptProps {
  readonly tree: BranchTree
  readonly path: readonly string[]
  readonly loader: MessageLoader | undefined
  readonly actions: readonly MessageAction[]
  /** Returns further controls of a message of the path. */
  readonly renderControls?: (id: string) => ComponentChildren
  /** Messages after the path: those that a run has added, and the one that arrives. */
  readonly added?: readonly Message[]
  readonly arriving?: Message | undefined
  /** The id of the message to scroll to. */
  readonly target?: string | undefined
  readonly sticksToEnd?: boolean
}

/** Shows the messages of a branch. Messages are loaded when they come into view. */
export function TranscriptView(props: TranscriptProps): VNode {
  const {
    tree,
    path,
    loader,
    actions,
    renderControls,
    added = [],
    arriving,
    target,
    sticksToEnd = false,
  } = props
  void loader?.version.value
  const count = path.length + added.length + (arriving === undefined ? 0 : 1)
  const findMessage = (index: number): Message | undefined =>
    index < path.length ? loader?.find(path[index] ?? '') : (added[index - path.length] ?? arriving)
  return (
    <VirtualList
      label="Messages"
      class="transcript"
      count={count}
      estimatedHeight={110}
      sticksToEnd={sticksToEnd}
      target={target === undefined ? undefined : path.indexOf(target)}
      keyOf={(index) => path[index] ?? added[index - path.length]?.id ?? 'arriving'}
      // The client of the API reports a lost connection; missing messages are requested again when they are shown again.
      onWindow={(start, end) => void loader?.load(path.slice(start, end)).catch(() => {})}
      render={(index) => {
        const message = findMessage(index)
        if (message === undefined)
          return <Placeholder text={tree.nodes.get(path[index] ?? '')?.excerpt ?? ''} />
        const isArriving = message === arriving
        return (
          <MessageView
            message={message}
            isArriving={isArriving}
            actions={isArriving ? [] : actions}
            controls={renderControls?.(message.id)}
          />
        )
      }}
    />
  )
}

function Placeholder({ text }: { readonly text: string }): VNode {
  return (
    <article class="message muted" aria-busy="true">
      {toVisibleText(text)}
    </article>
  )
}
