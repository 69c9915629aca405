import { isEqualJson, isObject, getOwnValue, MAX_JSON_DEPTH } from '../../wire/json.ts'
import type { ResidueFields, ResidueFieldTable } from './residue-field-table.ts'
import { usageResidueFields } from './residue-fields.ts'

/** Keys that contain only the position of a value. */
const structural: ReadonlySet<string> = new Set(['index', 'role', 'sequence_number'])

/** A value of residue: its slot, its wire keys, the fields that are known, and whether it belongs to token counts. */
export interface ForeignResidueValue {
  readonly slot: string
  readonly keys: readonly string[]
  readonly value: unknown
  readonly fields: ResidueFieldTable
  readonly isUsage: boolean
}

/** The rules of residue that a target does not write. */
export type ForeignLossRule = 'foreign-metadata' | 'foreign-residue'

/** Returns the rule for a value that only another format has; undefined if nothing is lost without it. */
export function getForeignLossRule({
  slot,
  keys,
  value,
  fields,
  isUsage,
}: ForeignResidueValue): ForeignLossRule | undefined {
  const table = isUsage ? usageResidueFields : fields
  // Names that start with `$` are groups of the library: they lead to the wire object that contains a part.
  const wireKeys = keys.filter((key) => !/^(?:\d+$|\$)/.test(key))
  const known = findRow(table, slot)
  const isMetadata = matchRows(table, known, wireKeys, value)
  if (isMetadata === undefined) return undefined
  if (isUsage) return hasOnlyZeros(value) ? undefined : 'foreign-metadata'
  if (hasOnlyStructure(value, keys.at(-1))) return known === undefined ? 'foreign-metadata' : undefined
  return isMetadata ? 'foreign-metadata' : 'foreign-residue'
}

/** Returns true for a hint without which a target of another format behaves differently. */
export function isMeaningfulHint(table: ResidueFieldTable, slot: string, name: string): boolean {
  return includesPath(findRow(table, slot)?.hints, name)
}

/** Slots and keys are untrusted: only own properties of the tables count. */
function findRow(table: ResidueFieldTable, slot: unknown): ResidueFields | undefined {
  return typeof slot === 'string' && Object.hasOwn(table, slot) ? table[slot] : undefined
}

/** Returns true for metadata, and undefined for a value without meaning. Fields of a nested object may have their own row. */
function matchRows(
  table: ResidueFieldTable,
  row: ResidueFields | undefined,
  keys: readonly string[],
  value: unknown,
): boolean | undefined {
  if (row === undefined) return false
  const path = keys.join('.')
  if (isMeaningless(table, row, path, value)) return undefined
  if (includesPath(row.metadata, path)) return true
  const [first = '', ...rest] = keys
  const nested = row.objects && findRow(table, getOwnValue(row.objects, first))
  return rest.length > 0 && matchRows(table, nested, rest, value)
}

/**
 * Returns true for a value that equals a default of every target, or that means nothing outside of its format. A list or an object
 * means nothing if none of its items or fields does.
 */
function isMeaningless(
  table: ResidueFieldTable,
  row: ResidueFields,
  path: string,
  value: unknown,
  levels: number = MAX_JSON_DEPTH,
): boolean {
  const { formOnly, formOnlyTexts, defaults, countsByModality } = row
  if (includesPath(formOnly, path)) return true
  if (typeof value === 'string' && includesPath(formOnlyTexts, path)) return true
  if (includesPath(countsByModality, path)) return hasOnlyTextCounts(value)
  const equivalents = defaults && Object.hasOwn(defaults, path) ? defaults[path] : undefined
  if (equivalents?.some((each) => isEqualJson(each, value)) === true) return true
  if (typeof value !== 'object' || value === null || levels === 0) return false
  const nested = findRow(table, row.objects && getOwnValue(row.objects, path)) ?? row
  const above = nested === row ? `${path}.` : ''
  const isFieldMeaningless = ([key, each]: readonly [string, unknown]): boolean =>
    hasOnlyStructure(each, key) || isMeaningless(table, nested, `${above}${key}`, each, levels - 1)
  const items = Array.isArray(value) ? value : [value]
  const fields = items.map((item) => (isObject(item) ? Object.entries(item) : []))
  return fields.length > 0 && fields.every((each) => each.length > 0 && each.every(isFieldMeaningless))
}

/** Returns true for counts of text: `[{ modality: 'TEXT', tokenCount: 12 }]`; interactions have `text`. */
function hasOnlyTextCounts(value: unknown): boolean {
  const isText = (each: unknown): boolean =>
    isObject(each) && (each['modality'] === 'TEXT' || each['modality'] === 'text')
  return Array.isArray(value) && value.every(isText)
}

/** Returns true for a value that contains only positions, empty texts and empty lists. What nests too deep is data. */
export function hasOnlyStructure(value: unknown, key = '', levels: number = MAX_JSON_DEPTH): boolean {
  if (value === null || value === '') return true
  if (typeof value !== 'object') return structural.has(key)
  if (levels === 0) return false
  if (Array.isArray(value)) return value.every((each) => hasOnlyStructure(each, key, levels - 1))
  return Object.entries(value).every(([name, each]) => hasOnlyStructure(each, name, levels - 1))
}

function hasOnlyZeros(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  if (!isObject(value) || levels === 0) return value === 0
  return Object.values(value).every((each) => hasOnlyZeros(each, levels - 1))
}

/** The paths of each list of the tables, which are constant. */
const pathsByList = new Map<string, ReadonlySet<string>>()

/** Returns true if a list contains a path, or an object above it with all of its keys. */
function includesPath(list: string | undefined, path: string): boolean {
  if (list === undefined) return false
  const paths = pathsByList.get(list) ?? new Set(list.split(' '))
  pathsByList.set(list, paths)
  if (paths.has(path) || paths.has(`${path}.*`)) return true
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1))
    if (paths.has(`${path.slice(0, dot)}.*`)) return true
  return false
}
