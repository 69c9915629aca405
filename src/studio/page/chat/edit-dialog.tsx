import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Message } from '../../../canonical/model/message.ts'
import type { UserPart } from '../../../canonical/model/part.ts'
import { Dialog } from '../dialog.tsx'
import { chat } from './chat-state.ts'

/** A message of the user with another text. */
export interface EditedMessage {
  readonly message: Message
  readonly text: string
}

/** Sends an edited message as a new branch. Returns false if nothing was stored. */
export function sendEdited({ message, text }: EditedMessage): Promise<boolean> {
  const kept = message.content.filter((part) => part.type !== 'text') as readonly UserPart[]
  const content: readonly UserPart[] = [{ type: 'text', text }, ...kept]
  const parent = chat.tree.peek().nodes.get(message.id)?.parent ?? ''
  return chat.run({ type: 'edit', message: message.id, content }, parent)
}

interface EditDialogProps {
  readonly edited: EditedMessage
  readonly onSend: (edited: EditedMessage) => void
  readonly onClose: () => void
}

/** Edits a message of the user. The conversation continues from it as a new branch. */
export function EditDialog({ edited, onSend, onClose }: EditDialogProps): VNode {
  const [text, setText] = useState(edited.text)
  return (
    <Dialog
      title="Edit message"
      submit={{ label: 'Send as a branch', kind: 'primary', disabled: text.trim() === '' }}
      onSubmit={() => onSend({ ...edited, text })}
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
