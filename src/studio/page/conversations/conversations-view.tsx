import './conversations.css'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { formatPageLocation, type PageLocation } from '../navigation.ts'
import { SessionListView } from './session-list-view.tsx'
import { SessionView } from './session-view.tsx'

/** Shows the stored conversations: a list with a search, and the branches of one of them. */
export function ConversationsView({ item: session, message }: Omit<PageLocation, 'view'>): VNode {
  const [version, setVersion] = useState(0)
  const onChange = (): void => setVersion((before) => before + 1)
  return (
    <section class={`conversations ${session === undefined ? '' : 'has-session'}`} aria-label="Conversations">
      <h1 class="visually-hidden">Conversations</h1>
      <SessionListView selected={session} version={version} onChange={onChange} />
      {session === undefined ? (
        <p class="muted conversations-empty">
          Choose a conversation.
          <br />
          <span class="small">Its branches, two of them side by side, and what it cost are shown here.</span>
        </p>
      ) : (
        <div class="session-pane">
          <a class="back-link" href={formatPageLocation({ view: 'conversations' })}>
            ← All conversations
          </a>
          <SessionView key={session} id={session} message={message} version={version} onChange={onChange} />
        </div>
      )}
    </section>
  )
}
