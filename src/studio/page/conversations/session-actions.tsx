import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_TITLE_LENGTH, type SessionSummary } from '../../api/contract.ts'
import { call, describeCallError } from '../api-client.ts'
import { chat } from '../chat/chat-state.ts'
import { Icon } from '../controls.tsx'
import { Alert, Dialog } from '../dialog.tsx'
import { toVisibleText } from '../format-values.ts'

interface SessionActionsProps {
  readonly session: SessionSummary
  readonly onRename: () => void
  readonly onDelete: () => void
}

/** The paths of the icons, in a square of 24. */
const ICONS = {
  Rename: 'M4 20l1-5L16 4l4 4L9 19ZM14 6l4 4',
  Delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
} as const

/** Buttons to rename and to delete a conversation. */
export function SessionActions({ session, onRename, onDelete }: SessionActionsProps): VNode {
  const [shown, setShown] = useState<keyof typeof ICONS | undefined>(undefined)
  const close = (): void => setShown(undefined)
  const finish = (act: () => void) => (): void => {
    close()
    act()
  }
  return (
    <span class="session-actions">
      {(['Rename', 'Delete'] as const).map((action) => (
        <button
          key={action}
          type="button"
          class="plain"
          title={action}
          aria-label={`${action}: ${toVisibleText(session.title) || 'Untitled'}`}
          onClick={() => setShown(action)}
        >
          <Icon path={ICONS[action]} />
        </button>
      ))}
      {shown === 'Rename' && <RenameDialog session={session} onClose={close} onDone={finish(onRename)} />}
      {shown === 'Delete' && <DeleteDialog session={session} onClose={close} onDone={finish(onDelete)} />}
    </span>
  )
}

interface SessionDialogProps {
  readonly session: SessionSummary
  readonly onClose: () => void
  readonly onDone: () => void
}

function RenameDialog({ session, onClose, onDone }: SessionDialogProps): VNode {
  const [title, setTitle] = useState(session.title)
  const [error, setError] = useState('')
  const rename = async (): Promise<void> => {
    try {
      await call('sessions.rename', { session: session.id, title })
      if (chat.session.peek() === session.id) void chat.reload()
      onDone()
    } catch (thrown) {
      setError(describeCallError(thrown))
    }
  }
  return (
    <Dialog
      title="Rename conversation"
      submit={{ label: 'Rename', kind: 'primary', disabled: title.trim() === '' }}
      onSubmit={() => void rename()}
      onClose={onClose}
    >
      <input
        aria-label="Title"
        maxLength={MAX_TITLE_LENGTH}
        value={title}
        onInput={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <Alert text={error} />
    </Dialog>
  )
}

function DeleteDialog({ session, onClose, onDone }: SessionDialogProps): VNode {
  const [error, setError] = useState('')
  const remove = async (): Promise<void> => {
    try {
      // A run would fail when it stores the next message.
      if (chat.session.peek() === session.id) await chat.open(undefined)
      await call('sessions.delete', { session: session.id })
      onDone()
    } catch (thrown) {
      setError(describeCallError(thrown))
    }
  }
  return (
    <Dialog
      title="Delete conversation"
      submit={{ label: 'Delete', kind: 'danger' }}
      onSubmit={() => void remove()}
      onClose={onClose}
    >
      <p>
        Delete <strong>{toVisibleText(session.title) || 'Untitled'}</strong> with all its branches?{' '}
        {session.isSample
          ? 'The samples are there again when the studio starts anew.'
          : 'You cannot undo this.'}
      </p>
      <Alert text={error} />
    </Dialog>
  )
}
