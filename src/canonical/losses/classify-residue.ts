import { isEqualJson, isObject, getOwnValue } from '../../wire/json.ts'
import { type ResidueFields, type ResidueFieldTable, usageResidueFields } from './residue-fields.ts'

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
  // Slots and keys are untrusted: only own properties of the tables count.
  const known = getOwnValue(isUsage ? usageResidueFields : fields, slot) as ResidueFields | undefined
  // Names that start with `$` are groups of the library: they lead to the wire object that contains a part.
  const path = keys.filter((key) => !/^(?:\d+$|\$)/.test(key)).join('.')
  if (known !== undefined && isMeaningless(known, path, value)) return undefined
  if (isUsage) return hasOnlyZeros(value) ? undefined : 'foreign-metadata'
  if (hasOnlyStructure(value, keys.at(-1))) return known === undefined ? 'foreign-metadata' : undefined
  return known?.metadata?.some((each) => covers(each, path)) ? 'foreign-metadata' : 'foreign-residue'
}

/** Returns true for a value that equals a default of every target, or that means nothing outside of its format. */
function isMeaningless(
  { formOnly = [], defaults, countsByModality = [] }: ResidueFields,
  path: string,
  value: unknown,
): boolean {
  if (formOnly.some((each) => covers(each, path))) return true
  if (countsByModality.includes(path)) return hasOnlyTextCounts(value)
  const equivalents = defaults && Object.hasOwn(defaults, path) ? defaults[path] : undefined
  return equivalents?.some((each) => isEqualJson(each, value)) === true
}

/** Returns true for counts of text: `[{ modality: 'TEXT', tokenCount: 12 }]`. */
function hasOnlyTextCounts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => isObject(each) && each['modality'] === 'TEXT')
}

/** Returns true for a value that contains only positions, empty texts and empty lists. */
export function hasOnlyStructure(value: unknown, key = ''): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.every((each) => hasOnlyStructure(each, key))
  if (isObject(value)) return Object.entries(value).every(([name, each]) => hasOnlyStructure(each, name))
  return structural.has(key)
}

function hasOnlyZeros(value: unknown): boolean {
  return isObject(value) ? Object.values(value).every(hasOnlyZeros) : value === 0
}

function covers(listed: string, path: string): boolean {
  if (!listed.endsWith('.*')) return listed === path
  const stem = listed.slice(0, -2)
  return path === stem || path.startsWith(`${stem}.`)
}
