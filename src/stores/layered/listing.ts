import { fail } from '../../canonical/shape/shape.ts'
import { below } from '../../wire/pointer.ts'
import type { ConversationStorage, Session, SessionPage, SessionQuery } from '../contract.ts'
import { pageSize } from '../operations/sessions.ts'

/** Where a list stands: at which storage, and where there. */
interface Place {
  readonly layer: number
  readonly cursor: string | undefined
}

/** The sessions of the first storage, then those that only the next one has, and so on. */
export async function listed(
  all: readonly ConversationStorage[],
  query: SessionQuery,
  onError: (error: unknown) => void = () => undefined,
): Promise<SessionPage> {
  const limit = pageSize(query)
  const sessions: Session[] = []
  const errors: unknown[] = []
  let place: Place | undefined = placeOf(query.cursor, all.length)
  let rest: Place | undefined
  while (place !== undefined) {
    // One more is looked for, to know whether there is another page.
    const wanted = limit - sessions.length || 1
    const page: SessionPage = await pageOf(all, place, { ...query, limit: wanted }, errors)
    const fresh = await unknownTo(all.slice(0, place.layer), page.sessions)
    if (sessions.length === limit && fresh.length > 0) {
      rest = place
      break
    }
    sessions.push(...fresh)
    place = nextPlace(place, page, all.length)
  }
  if (errors.length === all.length) throw errors[0]
  errors.forEach(onError)
  return { sessions, ...(rest !== undefined && { cursor: `${rest.layer}:${rest.cursor ?? ''}` }) }
}

/** A page of one storage; one that fails has none. */
async function pageOf(
  all: readonly ConversationStorage[],
  { layer, cursor }: Place,
  { cursor: _cursor, ...query }: SessionQuery,
  errors: unknown[],
): Promise<SessionPage> {
  const asked = all[layer]?.sessions({ ...query, ...(cursor !== undefined && { cursor }) })
  return (asked ?? Promise.resolve({ sessions: [] })).catch((error: unknown) => {
    errors.push(error)
    return { sessions: [] }
  })
}

async function unknownTo(
  earlier: readonly ConversationStorage[],
  sessions: readonly Session[],
): Promise<readonly Session[]> {
  const fresh: Session[] = []
  for (const session of sessions) {
    const holders = await Promise.all(
      earlier.map((storage) => storage.session(session.id).catch(() => undefined)),
    )
    if (holders.every((holder) => holder === undefined)) fresh.push(session)
  }
  return fresh
}

function nextPlace({ layer }: Place, { cursor }: SessionPage, count: number): Place | undefined {
  if (cursor !== undefined) return { layer, cursor }
  return layer + 1 < count ? { layer: layer + 1, cursor } : undefined
}

function placeOf(cursor: string | undefined, count: number): Place {
  if (cursor === undefined) return { layer: 0, cursor }
  const [, layer = '', rest = ''] = /^(\d+):(.*)$/s.exec(cursor) ?? []
  if (layer !== '' && Number(layer) < count)
    return { layer: Number(layer), cursor: rest === '' ? undefined : rest }
  return fail('invalid-value', below(undefined, 'cursor'), 'another text', 'the cursor of a page')
}
