import { isObject } from '../../wire/json.ts'
import type { RowChange, RowTypesByKind } from './in-memory-tables.ts'

/** The types of row fields. */
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

/** Tests whether a parsed value is a change to a row with all its fields. */
export function isRowChange(value: unknown): value is RowChange {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [kind, key, row] = value as [unknown, unknown, unknown]
  if (typeof kind !== 'string' || !Object.hasOwn(ROW_FIELDS, kind) || !isText(key)) return false
  if (row === null) return true
  const fields = Object.entries(ROW_FIELDS[kind as keyof RowTypesByKind])
  return isObject(row) && fields.every(([name, type]) => FIELD_CHECKS[type](row[name]))
}
