import { createHash } from 'node:crypto'
import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'
import type { Change, RowKinds } from '../memory/tables.ts'

/** The version of the lines. Older ones stay readable. */
const VERSION = 1

function sumOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** The line of a transaction: what it changed, and a sum over that. */
export function lineOf(changes: readonly Change[]): string {
  const text = JSON.stringify(changes)
  return `{"version":${VERSION},"checksum":"${sumOf(text)}","changes":${text}}\n`
}

const FORM = /^\{"version":(\d+),"checksum":"([0-9a-f]{64})","changes":(.*)\}$/s

type Read = { readonly changes: readonly Change[] } | { readonly reason: string }

/** What a line changes, or why it cannot be read. */
export function readLine(line: string): Read {
  const [, version, sum, text] = FORM.exec(line) ?? []
  if (version === undefined || text === undefined) return { reason: 'It is not a whole line of ours' }
  if (Number(version) > VERSION) throw tooNew(version)
  if (sumOf(text) !== sum) return { reason: 'It is not what was written' }
  const changes = parsed(text)
  if (!Array.isArray(changes) || !changes.every(isChange)) return { reason: 'It says something unknown' }
  return { changes }
}

/** A sum vouches for what was written, not for who wrote it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Kind = 'text' | 'texts' | 'text or null' | 'number' | 'object' | 'object or null'

const ROWS: { readonly [K in keyof RowKinds]: { readonly [F in keyof RowKinds[K]]: Kind } } = {
  session: {
    key: 'text',
    tenant: 'text',
    id: 'text',
    title: 'text',
    labels: 'texts',
    parameters: 'object',
    createdAt: 'text',
    updatedAt: 'text',
  },
  section: {
    session: 'text',
    name: 'text',
    position: 'number',
    forkPoint: 'text or null',
    lineage: 'texts',
    head: 'text or null',
  },
  message: {
    key: 'text',
    session: 'text',
    section: 'text',
    id: 'text',
    parent: 'text or null',
    depth: 'number',
    hash: 'text',
    checksum: 'text',
    body: 'text',
    usage: 'object or null',
  },
  label: { session: 'text', message: 'text', label: 'text' },
}

const isText = (value: unknown): boolean => typeof value === 'string'

const KINDS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  'text or null': (value) => value === null || isText(value),
  number: (value) => Number.isSafeInteger(value),
  object: isObject,
  'object or null': (value) => value === null || isObject(value),
}

function isChange(value: unknown): value is Change {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [kind, key, row] = value as [unknown, unknown, unknown]
  if (typeof kind !== 'string' || !Object.hasOwn(ROWS, kind) || !isText(key)) return false
  if (row === null) return true
  const fields = Object.entries(ROWS[kind as keyof RowKinds])
  return isObject(row) && fields.every(([name, type]) => KINDS[type](row[name]))
}

function tooNew(version: string): InterlinguaError {
  return new InterlinguaError('unsupported-version', `The file has lines of version ${version}`, {
    found: `version ${version}`,
    expected: `a version up to ${VERSION}`,
    hint: 'It was written by a newer interlingua: update.',
  })
}
