import type { NodeRow, SectionRow, SessionRow } from '../rows/row-definitions.ts'
import {
  NODE_COLUMNS,
  readNodeRow,
  readSectionRow,
  readSessionRow,
  SECTION_COLUMNS,
  SESSION_COLUMNS,
} from './row-columns.ts'
import { SELECT_NODE } from './message-tree-queries.ts'
import type { SqlRow } from './sql-driver.ts'
import { formatParameterList, qualifyColumns, type SqlStatements } from './sql-statements.ts'

export const SELECT_SESSIONS: string = `select ${SESSION_COLUMNS.join()} from interlingua_sessions`
export const SELECT_SECTIONS: string = `select ${qualifyColumns(SECTION_COLUMNS, 's')} from interlingua_sections s`

/** A section and the position of its head in the tree, if it has one. */
const SELECT_SECTION_WITH_HEAD = `select ${qualifyColumns(SECTION_COLUMNS, 's')}, m.session as head_session,
  ${qualifyColumns(
    NODE_COLUMNS.filter((name) => name !== 'session'),
    'm',
  )}
  from interlingua_sections s left join interlingua_messages m on m.key = s.head`

/** Maximum number of message ids that are looked up together with a session. */
const MAX_MESSAGE_IDS = 50

/** What nearly every operation reads first: the sections of a session, their heads, and some of its own messages. */
export interface OpenedRows {
  readonly session: string
  readonly sections: readonly SectionRow[]
  readonly heads: ReadonlyMap<string, NodeRow>
  /** Ids that were looked up among the session's own messages. */
  readonly messageIds: ReadonlySet<string>
  readonly nodes: readonly NodeRow[]
}

/**
 * Reads a session with its sections and heads. All statements are sent before the first result arrives; those after the
 * first one read what is committed once the session is locked.
 */
export async function readOpenedRows(
  statements: SqlStatements,
  lock: string,
  query: { readonly tenant: string; readonly id: string; readonly messageIds: readonly string[] },
): Promise<Omit<OpenedRows, 'session'> & { readonly row: SessionRow | undefined }> {
  const { tenant, id } = query
  const ids = query.messageIds.length > MAX_MESSAGE_IDS ? [] : query.messageIds
  const key = '(select key from interlingua_sessions where tenant = ? and id = ?)'
  const [row, sections, nodes] = await Promise.all([
    statements.selectOne(readSessionRow, `${SELECT_SESSIONS} where tenant = ? and id = ?${lock}`, [
      tenant,
      id,
    ]),
    statements.query(`${SELECT_SECTION_WITH_HEAD} where s.session = ${key} order by s.position`, [
      tenant,
      id,
    ]),
    ids.length === 0
      ? []
      : statements.select(
          readNodeRow,
          `${SELECT_NODE} where m.session = ${key} and m.id in ${formatParameterList(ids)}`,
          [tenant, id, ...ids],
        ),
  ])
  const heads = sections.filter((each) => each['key'] !== null).map(readHead)
  return {
    row,
    sections: sections.map(readSectionRow),
    heads: new Map(heads.map((node) => [node.key, node])),
    messageIds: new Set(ids),
    nodes,
  }
}

/** Reads the head of a section; the columns that both tables have are those of the section. */
function readHead(row: SqlRow): NodeRow {
  return readNodeRow({ ...row, session: row['head_session'] })
}
