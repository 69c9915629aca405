import './chat.css'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { textOf } from '../../../canonical/read/message-content.ts'
import { connections } from '../api-client.ts'
import { TranscriptView } from '../conversations/transcript-view.tsx'
import { Alert, Dialog } from '../dialog.tsx'
import type { MessageAction } from '../messages/message-view.tsx'
import { toVisibleText } from '../format-values.ts'
import { formatPageLocation, openInLens, openPageLocation, type PageLocation } from '../navigation.ts'
import { Approvals } from './approvals.tsx'
import { chat } from './chat-state.ts'
import { Composer } from './composer.tsx'
import { ModelPicker } from './model-picker.tsx'
import type { Message } from '../../../canonical/model/message.ts'
import type { UserPart } from '../../../canonical/model/part.ts'

const SUGGESTIONS = ['How is the weather in Oslo?', 'Remind me to call Ada', 'What does the clock say?']

/** What the other views are for, at the first start. */
const OTHER_VIEWS = [
  {
    view: 'conversations',
    title: 'See branches',
    text: 'Search conversations, compare branches and models, read what they cost.',
  },
  {
    view: 'lens',
    title: 'Open the lens',
    text: 'Paste a request, a log or a session file, and see what every provider receives.',
  },
  { view: 'streams', title: 'Play a stream', text: 'Event by event, as clients of each dialect receive it.' },
  {
    view: 'gateway',
    title: 'Watch the gateway',
    text: 'Point a program at it, and see latency, cost and losses.',
  },
] as const

/** Chats with a model, and continues stored conversations. */
export function ChatView({ item }: Omit<PageLocation, 'view'>): VNode {
  const [edited, setEdited] = useState<EditedMessage | undefined>(undefined)
  const sendEdit = async (sent: EditedMessage): Promise<void> => {
    setEdited(undefined)
    // The text is not lost, unless the user edits another message.
    if (!(await sendEdited(sent))) setEdited((current) => current ?? sent)
  }
  useEffect(() => void chat.open(item), [item])
  useEffect(() => {
    if (connections.value > 1) void chat.reload()
  }, [connections.value])
  const actions: readonly MessageAction[] = [
    {
      label: 'Edit',
      roles: ['user'],
      run: (message) => setEdited({ message, text: textOf(message) }),
    },
    {
      label: 'Regenerate',
      title: 'Ask the selected model again; the answer becomes a new branch',
      roles: ['user', 'assistant'],
      run: ({ id }) => {
        const question = chat.tree.peek().findQuestion(id)
        if (question !== undefined) void chat.run({ type: 'regenerate', message: question }, question)
      },
    },
    {
      label: 'Copy',
      doneLabel: 'Copied',
      run: (message) => navigator.clipboard.writeText(textOf(message)),
    },
    { label: 'Lens', run: (message) => openInLens(JSON.stringify([message], null, 2)) },
  ]
  const title = chat.opened.value?.session.title
  return (
    <section class="chat" aria-label="Chat">
      <header class="row title-row">
        <h1>{title === undefined ? 'New chat' : toVisibleText(title)}</h1>
        {chat.opened.value?.session.isSample === true && (
          <span class="badge">
            sample<span class="wide-only">, not stored</span>
          </span>
        )}
        <ModelPicker />
        {item !== undefined && (
          <>
            <a class="button" href={formatPageLocation({ view: 'conversations', item })}>
              Branches
            </a>
            <button type="button" onClick={() => openPageLocation({ view: 'chat' })}>
              New<span class="wide-only"> chat</span>
            </button>
          </>
        )}
      </header>
      <ChatMessages actions={actions} />
      <div class="visually-hidden" role="status">
        {chat.isRunning.value ? 'The model answers.' : ''}
      </div>
      <Approvals />
      <Alert text={chat.error.value} />
      <Composer
        isRunning={chat.isRunning.value}
        onSend={(content) => chat.run({ type: 'send', content })}
        onStop={() => chat.stop()}
      />
      {edited !== undefined && (
        <EditDialog
          edited={edited}
          onSend={(sent) => void sendEdit(sent)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  )
}

function ChatMessages({ actions }: { readonly actions: readonly MessageAction[] }): VNode {
  const isEmpty = chat.path.value.length + chat.added.value.length === 0 && !chat.isRunning.value
  if (isEmpty && chat.session.value === undefined)
    return (
      <div class="chat-start">
        <h2>Ask any model</h2>
        <p class="muted">
          Without keys, a demo model answers: it streams, reasons and calls tools, offline. Set the key of a
          provider in the environment, or start Ollama, to use other models. You can switch the model in the
          middle.
        </p>
        <div class="row">
          {SUGGESTIONS.map((text) => (
            <button
              key={text}
              type="button"
              onClick={() => void chat.run({ type: 'send', content: [{ type: 'text', text }] })}
            >
              {text}
            </button>
          ))}
        </div>
        <ul class="other-views">
          {OTHER_VIEWS.map(({ view, title, text }) => (
            <li key={view}>
              <a href={formatPageLocation({ view })}>{title}</a>
              <span class="muted small">{text}</span>
            </li>
          ))}
        </ul>
      </div>
    )
  return (
    <TranscriptView
      tree={chat.tree.value}
      path={chat.path.value}
      loader={chat.loader.value}
      added={chat.added.value}
      arriving={chat.arrivingMessage.value}
      actions={actions}
      renderControls={(id) => <BranchSwitch id={id} />}
      sticksToEnd
    />
  )
}

/** Switches between the branches that start with a message, if there are several. */
function BranchSwitch({ id }: { readonly id: string }): VNode | null {
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

/** A message of the user with another text. */
interface EditedMessage {
  readonly message: Message
  readonly text: string
}

/** Sends an edited message as a new branch. Returns false if nothing was stored. */
function sendEdited({ message, text }: EditedMessage): Promise<boolean> {
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
function EditDialog({ edited, onSend, onClose }: EditDialogProps): VNode {
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
