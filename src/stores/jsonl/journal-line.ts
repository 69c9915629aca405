import { InterlinguaError } from '../../errors.ts'
import { isObject, tryParseJson } from '../../wire/json.ts'
import { sha256 } from '../rows/row-hash.ts'
import type { RowChange, RowTypesByKind } from '../memory/memory-tables.ts'

/** Current version of the line format; older versions remain readable. */
const LINE_VERSION = 1

/** Encodes a transaction as a line with its changes and their checksum. */
export function encodeJournalLine(changes: readonly RowChange[]): string {
  const text = JSON.stringify(changes)
  return `{"version":${LINE_VERSION},"checksum":"${sha256(text)}","changes":${text}}\n`
}

const LINE_PATTERN = /^\{"version":(\d+),"checksum":"([0-9a-f]{64})","changes":(.*)\}$/s

type LineReadResult = { readonly changes: readonly RowChange[] } | { readonly reason: string }

/** Decodes a line into its changes, or returns the reason why it cannot be read. */
export function decodeJournalLine(line: string): LineReadResult {
  const [, version, sum, text] = LINE_PATTERN.exec(line) ?? []
  if (version === undefined || text === undefined) return { reason: 'incomplete or in an unknown format' }
  if (Number(version) > LINE_VERSION) throw unsupportedLineVersion(version)
  if (sha256(text) !== sum) return { reason: 'the checksum does not match' }
  // A valid checksum does not prove that this library wrote the line.
  const changes: unknown = tryParseJson(text)
  if (!Array.isArray(changes) || !changes.every(isChange)) return { reason: 'contains an unknown change' }
  return { changes }
}

type FieldKind = 'text' | 'texts' | 'text or null' | 'number' | 'object' | 'object or null'

const ROW_FIELDS: {
  readonly [K in keyof RowTypesByKind]: { readonly [F in keyof RowTypesByKind[K]]: FieldKind }
} = {
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

const FIELD_CHECKS: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  'text or null': (value) => value === null || isText(value),
  number: (value) => Number.isSafeInteger(value),
  object: isObject,
  'object or null': (value) => value === null || isObject(value),
}

function isChange(value: unknown): value is RowChange {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [kind, key, row] = value as [unknown, unknown, unknown]
  if (typeof kind !== 'string' || !Object.hasOwn(ROW_FIELDS, kind) || !isText(key)) return false
  if (row === null) return true
  const fields = Object.entries(ROW_FIELDS[kind as keyof RowTypesByKind])
  return isObject(row) && fields.every(([name, type]) => FIELD_CHECKS[type](row[name]))
}

function unsupportedLineVersion(version: string): InterlinguaError {
  const message = `The file contains lines of the unsupported version ${version}`
  return new InterlinguaError('unsupported-version', message, {
    found: `version ${version}`,
    expected: `version ${LINE_VERSION} or older`,
    hint: 'A newer version of interlingua wrote the file; update the package.',
  })
}
