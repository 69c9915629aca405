import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Message } from '../../../canonical/model/message.ts'
import type { UserPart } from '../../../canonical/model/part.ts'
import { textOf } from '../../../canonical/read/message-content.ts'
import { Dialog } from '../dialog.tsx'
import { chat } from './chat-state.ts'

interface EditDialogProps {
  readonly message: Message
  readonly onClose: () => void
}

/** Edits a message of the user. The conversation continues from it as a new branch. */
export function EditDialog({ message, onClose }: EditDialogProps): VNode {
  const [text, setText] = useState(textOf(message))
  const send = (): void => {
    const kept = message.content.filter((part) => part.type !== 'text') as readonly UserPart[]
    const content: readonly UserPart[] = [{ type: 'text', text }, ...kept]
    const parent = chat.tree.peek().nodes.get(message.id)?.parent ?? ''
    void chat.run({ type: 'edit', message: message.id, content }, parent)
    onClose()
  }
  return (
    <Dialog
      title="Edit message"
      submit={{ label: 'Send as a branch', kind: 'primary', disabled: text.trim() === '' }}
      onSubmit={send}
      onClose={onClose}
    >
      <p class="muted">The answer becomes a new branch; the old one is kept.</p>
      <textarea
        aria-label="Text"
        rows={6}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Dialog>
  )
}
