import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchHit, SessionList as SessionPages, SessionSummary } from '../../api/contract.ts'
import { call, connections, describeCallError } from '../api-client.ts'
import { Alert } from '../dialog.tsx'
import { formatCount, toVisibleText } from '../format-values.ts'
import { formatPageLocation, openPageLocation } from '../navigation.ts'
import { VirtualList } from '../virtual-list.tsx'
import { SessionActions } from './session-actions.tsx'

const SEARCH_DELAY_MS = 200

interface SessionListProps {
  readonly selected: string | undefined
  /** Changes when the list must be read anew. */
  readonly version: number
  /** Called when a conversation was renamed or deleted. */
  readonly onChange: () => void
}

/** Lists the conversations, and searches their messages. */
export function SessionListView({ selected, version, onChange }: SessionListProps): VNode {
  const [{ sessions, cursor }, setList] = useState<SessionPages>({ sessions: [] })
  const [error, setError] = useState('')
  const [query, setQuery] = useState('')
  const [hits, setHits] = useState<readonly SearchHit[] | undefined>(undefined)
  const [deletions, setDeletions] = useState(0)
  const search = useRef<HTMLInputElement>(null)
  /** The last request for a page of the list: answers to earlier ones are outdated. */
  const lastRequest = useRef<{ readonly cursor?: string }>({})

  const load = async (after?: string): Promise<void> => {
    if (after !== undefined && after === lastRequest.current.cursor) return
    const request = after === undefined ? {} : { cursor: after }
    lastRequest.current = request
    try {
      const page = await call('sessions.list', request)
      if (lastRequest.current !== request) return
      setList((before) => (after === undefined ? page : joinPages(before, page)))
      setError('')
    } catch (thrown) {
      if (lastRequest.current !== request) return
      lastRequest.current = {}
      setError(describeCallError(thrown))
    }
  }
  useEffect(() => void load(), [version, connections.value])
  useEffect(() => {
    if (query.trim() === '') return setHits(undefined)
    let isOutdated = false
    const find = async (): Promise<void> => {
      const result = await call('sessions.search', { query }).catch(describeCallError)
      if (isOutdated) return
      setHits(typeof result === 'string' ? [] : result)
      setError(typeof result === 'string' ? result : '')
    }
    const timer = setTimeout(() => void find(), SEARCH_DELAY_MS)
    return () => {
      isOutdated = true
      clearTimeout(timer)
    }
  }, [query])

  const finishDelete = (id: string): void => {
    onChange()
    setDeletions((count) => count + 1)
    if (id === selected) openPageLocation({ view: 'conversations' })
  }
  // The button that had the focus disappears, and its dialog must be closed before another element can have it.
  useEffect(() => {
    if (deletions > 0) search.current?.focus()
  }, [deletions])
  return (
    <div class="session-list">
      <input
        ref={search}
        type="search"
        aria-label="Search messages"
        placeholder="Search all messages"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <Alert text={error} />
      {hits === undefined ? (
        <VirtualList
          label="Conversations"
          count={sessions.length}
          estimatedHeight={58}
          keyOf={(index) => sessions[index]?.id ?? ''}
          onWindow={(_start, end) => {
            if (end === sessions.length && cursor !== undefined) void load(cursor)
          }}
          render={(index) => {
            const session = sessions[index]
            return (
              session && (
                <div class="session-row">
                  <SessionLink session={session} isSelected={session.id === selected} />
                  <SessionActions
                    session={session}
                    onRename={onChange}
                    onDelete={() => finishDelete(session.id)}
                  />
                </div>
              )
            )
          }}
        />
      ) : (
        error === '' && <SearchHits hits={hits} sessions={sessions} />
      )}
    </div>
  )
}

/** Appends a page. A conversation that was changed meanwhile can be on both. */
function joinPages(before: SessionPages, page: SessionPages): SessionPages {
  const sessions = new Map([...before.sessions, ...page.sessions].map((session) => [session.id, session]))
  return { ...page, sessions: [...sessions.values()] }
}

function SessionLink({
  session,
  isSelected,
}: {
  readonly session: SessionSummary
  readonly isSelected: boolean
}): VNode {
  const { id, title, updatedAt, isSample } = session
  return (
    <a
      class="session-link"
      href={formatPageLocation({ view: 'conversations', item: id })}
      aria-current={isSelected ? 'true' : undefined}
    >
      <span>{toVisibleText(title) || 'Untitled'}</span>
      <span class="muted small">{isSample ? 'Sample' : new Date(updatedAt).toLocaleString()}</span>
    </a>
  )
}

interface SearchHitsProps {
  readonly hits: readonly SearchHit[]
  readonly sessions: readonly SessionSummary[]
}

function SearchHits({ hits, sessions }: SearchHitsProps): VNode {
  return (
    <div class="search-hits">
      <p class="muted small" role="status">
        {hits.length === 0 ? 'No message contains this.' : formatCount(hits.length, 'message', 'messages')}
      </p>
      {hits.map((hit) => (
        <a
          key={`${hit.session} ${hit.message}`}
          class="session-link"
          href={formatPageLocation({ view: 'conversations', item: hit.session, message: hit.message })}
        >
          <span class="small muted">
            {toVisibleText(sessions.find(({ id }) => id === hit.session)?.title ?? hit.session)} · {hit.role}
          </span>
          <span>{highlight(hit)}</span>
        </a>
      ))}
    </div>
  )
}

function highlight({ snippet: { text, matches } }: SearchHit): readonly (VNode | string)[] {
  let end = 0
  const pieces = matches.flatMap(([from, to]) => {
    const before = text.slice(end, from)
    end = to
    return [toVisibleText(before), <mark key={from}>{toVisibleText(text.slice(from, to))}</mark>]
  })
  return [...pieces, toVisibleText(text.slice(end))]
}
