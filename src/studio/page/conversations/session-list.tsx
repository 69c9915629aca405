import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SearchHit, SessionSummary } from '../../api/contract.ts'
import { call, connections } from '../api-client.ts'
import { toVisibleText } from '../messages/visible-text.ts'
import { formatPlace } from '../navigation.ts'
import { VirtualList } from '../virtual-list.tsx'

const SEARCH_DELAY_MS = 200

interface SessionListProps {
  readonly selected: string | undefined
  /** Changes when the list must be read anew. */
  readonly version: number
}

/** Lists the conversations, and searches their messages. */
export function SessionList({ selected, version }: SessionListProps): VNode {
  const [sessions, setSessions] = useState<readonly SessionSummary[]>([])
  const [cursor, setCursor] = useState<string | undefined>(undefined)
  const [query, setQuery] = useState('')
  const [hits, setHits] = useState<readonly SearchHit[] | undefined>(undefined)

  const load = async (after?: string): Promise<void> => {
    const page = await call('sessions.list', after === undefined ? {} : { cursor: after })
    setSessions((before) => (after === undefined ? page.sessions : [...before, ...page.sessions]))
    setCursor(page.cursor)
  }
  useEffect(() => void load().catch(() => {}), [version, connections.value])
  useEffect(() => {
    if (query.trim() === '') return setHits(undefined)
    const timer = setTimeout(
      () => void call('sessions.search', { query }).then(setHits, () => setHits([])),
      SEARCH_DELAY_MS,
    )
    return () => clearTimeout(timer)
  }, [query])

  return (
    <div class="session-list">
      <input
        type="search"
        aria-label="Search messages"
        placeholder="Search all messages"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      {hits === undefined ? (
        <VirtualList
          label="Conversations"
          count={sessions.length}
          estimatedHeight={58}
          keyOf={(index) => sessions[index]?.id ?? ''}
          onWindow={(_start, end) => {
            if (end === sessions.length && cursor !== undefined) void load(cursor).catch(() => {})
          }}
          render={(index) => {
            const session = sessions[index]
            return session && <SessionLink session={session} isSelected={session.id === selected} />
          }}
        />
      ) : (
        <SearchHits hits={hits} sessions={sessions} />
      )}
    </div>
  )
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
      href={formatPlace({ view: 'conversations', item: id })}
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
        {hits.length === 0 ? 'No message contains this.' : `${hits.length} messages`}
      </p>
      {hits.map((hit) => (
        <a
          key={`${hit.session} ${hit.message}`}
          class="session-link"
          href={formatPlace({ view: 'conversations', item: `${hit.session}/${hit.message}` })}
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
