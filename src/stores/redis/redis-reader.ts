import type {
  LabelRow,
  LeaseRow,
  MessageRow,
  NodeRow,
  SectionRow,
  SessionRow,
  UsageRow,
} from '../rows/row-definitions.ts'
import { escapeId } from './redis-keys.ts'
import type { RedisConnection } from './redis-connection.ts'
import {
  LIST_SCRIPT,
  MESSAGES_SCRIPT,
  NODE_FIELDS,
  OPEN_SCRIPT,
  PATH_SCRIPT,
  SECTIONS_SCRIPT,
} from './lua-scripts.ts'
import {
  decodeLabelRow,
  decodeLeaseRow,
  decodeMessageRow,
  decodeNodeRow,
  decodeSectionRow,
  decodeSessionRow,
  decodeUsageRow,
  MESSAGE_ROW_FIELDS,
} from './redis-row-codec.ts'

/** Maximum number of messages, and of bytes, that the server reads without serving other clients. */
const PAGE_SIZE = 500
const PAGE_BYTES = 1_000_000

/** A session with its version, and what was read together with it. */
export interface RedisSession {
  readonly row: SessionRow
  readonly version: string
  readonly sections: readonly SectionRow[]
}

/** A session that was opened: also its lease, the heads of its sections, and the messages that were asked for. */
export interface OpenedRedisSession extends RedisSession {
  readonly lease: LeaseRow | undefined
  readonly nodes: readonly NodeRow[]
}

/** A page of a path, from last to first. */
export interface PathPage {
  readonly rows: readonly (readonly [key: string, fields: readonly unknown[]])[]
  /** Key of the next message, or empty. */
  readonly next: string
}

/** Reads the stored rows of a tenant. */
export class RedisReader {
  readonly #connection: RedisConnection
  readonly #prefix: string
  readonly #tenant: string

  constructor(connection: RedisConnection, prefix: string, tenant: string) {
    this.#connection = connection
    this.#prefix = prefix
    this.#tenant = tenant
  }

  /** Opens a session by id or key, with its messages of some ids. */
  async open(
    wanted: { readonly id: string } | { readonly key: string },
    messageIds: readonly string[] = [],
  ): Promise<OpenedRedisSession | undefined> {
    const name = 'id' in wanted ? [escapeId(wanted.id), ''] : ['', wanted.key]
    const reply = await this.#runScript(OPEN_SCRIPT, [...name, ...messageIds])
    const [key = '', version = '', escapedId = '', updatedAt = '', value = '', lease = ''] = toTexts(reply)
    if (key === '') return undefined
    const nodes = toRows(toList(reply[7]), NODE_FIELDS.length).map(([node, fields]) =>
      decodeNodeRow(node, fields),
    )
    return {
      row: decodeSessionRow(value, { tenant: this.#tenant, key, escapedId, updatedAt }),
      version,
      sections: decodeSections(key, toList(reply[6])),
      lease: lease === '' ? undefined : decodeLeaseRow(lease),
      nodes,
    }
  }

  /** Returns the sessions after a position, the last written first. */
  async list(after: string, limit: number): Promise<readonly (RedisSession & { readonly member: string })[]> {
    const reply = await this.#runScript(LIST_SCRIPT, [after, String(limit)])
    return reply.map(toList).map((fields) => {
      const [member = '', key = '', version = '', escapedId = '', updated = '', value = ''] = toTexts(fields)
      // The position in the list, so that the next page starts after it.
      const updatedAt = updated === '' ? member.slice(0, member.lastIndexOf(' ')) : updated
      const row = decodeSessionRow(value, { tenant: this.#tenant, key, escapedId, updatedAt })
      return { member, row, version, sections: decodeSections(key, toList(fields[6])) }
    })
  }

  async sections(sessions: readonly string[]): Promise<readonly SectionRow[]> {
    if (sessions.length === 0) return []
    const reply = await this.#runScript(SECTIONS_SCRIPT, sessions)
    return reply.flatMap((fields, index) => decodeSections(sessions[index] ?? '', toList(fields)))
  }

  /** Returns the session and the name of each section that shares messages of a session. */
  async forks(owner: string): Promise<readonly (readonly [session: string, name: string])[]> {
    const members = toTexts(toList(await this.#run(['SMEMBERS', this.#key('forks', owner)]))).toSorted()
    return members.map((member) => {
      const end = member.indexOf(' ')
      return [member.slice(0, end), member.slice(end + 1)]
    })
  }

  async labels(session: string): Promise<readonly LabelRow[]> {
    const values = toTexts(toList(await this.#run(['HVALS', this.#key('labels', session)])))
    return values.map((value) => decodeLabelRow(session, value))
  }

  async lease(session: string): Promise<LeaseRow | undefined> {
    const [text] = toTexts([await this.#run(['HGET', this.#key('session', session), 'lease'])])
    return text === undefined || text === '' ? undefined : decodeLeaseRow(text)
  }

  async nodes(keys: readonly string[]): Promise<readonly NodeRow[]> {
    const found = await this.#messageFields(keys, NODE_FIELDS)
    return found.flatMap((fields, index) =>
      fields[0] === null ? [] : decodeNodeRow(keys[index] ?? '', fields),
    )
  }

  async messages(keys: readonly string[]): Promise<readonly MessageRow[]> {
    const found = await this.#messageFields(keys, MESSAGE_ROW_FIELDS)
    return found.flatMap((fields, index) =>
      fields[0] === null ? [] : decodeMessageRow(keys[index] ?? '', fields),
    )
  }

  async usage(keys: readonly string[]): Promise<readonly UsageRow[]> {
    const found = await this.#messageFields(keys, ['usage'])
    return found.flatMap(toTexts).flatMap((text) => (text === '' ? [] : decodeUsageRow(text)))
  }

  async #messageFields(keys: readonly string[], fields: readonly string[]): Promise<readonly unknown[][]> {
    const found: unknown[][] = []
    for (let start = 0; start < keys.length; start += PAGE_SIZE) {
      const batch = keys.slice(start, start + PAGE_SIZE)
      const args = [String(fields.length), ...fields, ...batch]
      for (const row of await this.#runScript(MESSAGES_SCRIPT, args)) found.push(toList(row))
    }
    return found
  }

  /** Returns the keys of the messages of a session with these ids. */
  async messageKeys(session: string, ids: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (let start = 0; start < ids.length; start += PAGE_SIZE) {
      const args = ['HMGET', this.#key('ids', session), ...ids.slice(start, start + PAGE_SIZE)]
      for (const key of toTexts(toList(await this.#run(args)))) if (key !== '') found.push(key)
    }
    return found
  }

  /** Returns the keys of the entries of a session's index from `first` on and before `end`. */
  async indexed(session: string, first: string, end: string): Promise<readonly string[]> {
    const range = [`[${first}`, `(${end}`]
    const found = toTexts(toList(await this.#run(['ZRANGEBYLEX', this.#key('index', session), ...range])))
    return found.map((entry) => entry.slice(entry.lastIndexOf(' ') + 1))
  }

  async countOwn(session: string): Promise<number> {
    return Number(await this.#run(['ZCARD', this.#key('own', session)]))
  }

  /** Yields the keys of the messages that a session owns, from a depth on, ordered by depth. */
  async *ownKeys(session: string, minDepth: number): AsyncGenerator<readonly string[]> {
    const own = this.#key('own', session)
    let start = minDepth <= 1 ? 0 : Number(await this.#run(['ZCOUNT', own, '-inf', `(${minDepth}`]))
    for (;;) {
      const keys = toTexts(
        toList(await this.#run(['ZRANGE', own, String(start), String(start + PAGE_SIZE - 1)])),
      )
      if (keys.length > 0) yield keys
      if (keys.length < PAGE_SIZE) return
      start += keys.length
    }
  }

  /** Reads fields of the path to a message, from last to first. */
  async path(
    key: string,
    depth: number | undefined,
    limit: number,
    fields: readonly string[],
  ): Promise<PathPage> {
    const count = String(Math.min(limit, PAGE_SIZE))
    const args = [key, count, String(PAGE_BYTES), depth === undefined ? '' : String(depth), ...fields]
    const [next, ...rest] = await this.#runScript(PATH_SCRIPT, args)
    return { next: String(next), rows: toRows(rest, fields.length) }
  }

  /** Returns the clock of the server in milliseconds. */
  async now(): Promise<number> {
    const [seconds, microseconds] = toList(await this.#run(['TIME'])).map(Number)
    return (seconds ?? 0) * 1000 + (microseconds ?? 0) / 1000
  }

  #key(kind: string, name: string): string {
    return `${this.#prefix}${kind}:${name}`
  }

  #run(args: readonly string[]): Promise<unknown> {
    return this.#connection.run(this.#prefix, args)
  }

  async #runScript(script: string, args: readonly string[]): Promise<unknown[]> {
    return toList(await this.#connection.runScript(script, this.#prefix, args))
  }
}

/** Decodes the names and values of sections, which alternate. */
function decodeSections(session: string, fields: readonly unknown[]): readonly SectionRow[] {
  return toRows(fields, 1).map(([name, [value]]) => decodeSectionRow(session, name, String(value)))
}

/** Splits a flat list into keys, each followed by a number of fields. */
function toRows(list: readonly unknown[], fieldCount: number): [key: string, fields: readonly unknown[]][] {
  const rows: [string, readonly unknown[]][] = []
  for (let start = 0; start < list.length; start += fieldCount + 1)
    rows.push([String(list[start]), list.slice(start + 1, start + 1 + fieldCount)])
  return rows
}

function toList(reply: unknown): unknown[] {
  return Array.isArray(reply) ? reply : []
}

function toTexts(list: readonly unknown[]): string[] {
  return list.map((value) => (typeof value === 'string' ? value : ''))
}
