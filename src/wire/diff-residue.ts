import { digestJsonShort } from './digest.ts'
import { isEqualJson, isEmptyObject, isList, isObject, type Json, type JsonObject, setKey } from './json.ts'
import {
  type AliasesByKey,
  type Binding,
  createBindingGuard,
  DOLLAR_KEY,
  EMPTY_RESIDUE,
  type GroupName,
  isSignificant,
  LENGTH_KEY,
  META_KEY,
  type Residue,
} from './residue.ts'

/** Returns the residue that turns `encoded` into `wire`; undefined if they are equal and there are no hints. */
export function diffResidue(
  encoded: Json,
  wire: Json,
  hints: JsonObject = EMPTY_RESIDUE,
  aliases: AliasesByKey = EMPTY_RESIDUE,
  binding?: Binding,
): Residue | undefined {
  // Most wire values are exactly what the encoder writes.
  if (isEqualJson(encoded, wire)) return isEmptyObject(hints) ? undefined : { [META_KEY]: { hints } }
  return collectDifference(encoded, wire, { aliases, binding, isPatch: true }).build(hints)
}

/**
 * Returns the values of a residue that {@link listSignificantPaths} finds, without the guards that a patch needs: enough to report
 * what another format cannot contain. Undefined if there are none.
 */
export function diffSignificantValues(encoded: Json, wire: Json, binding?: Binding): Residue | undefined {
  if (isEqualJson(encoded, wire)) return undefined
  return collectDifference(encoded, wire, { aliases: EMPTY_RESIDUE, binding, isPatch: false }).build(
    EMPTY_RESIDUE,
  )
}

interface DiffOptions {
  readonly aliases: AliasesByKey
  readonly binding: Binding | undefined
  /** False if the residue is only reported: it needs no guards and no values without significance. */
  readonly isPatch: boolean
}

function collectDifference(encoded: Json, wire: Json, options: DiffOptions): ResidueBuilder {
  const found = new ResidueBuilder(options)
  if (isObject(encoded) && isObject(wire)) diffObjects(encoded, wire, found)
  else if (isList(encoded) && isList(wire)) diffLists(encoded, wire, found)
  return found
}

/** Collects differences. Most values have none, so nothing is allocated before the first one. */
class ResidueBuilder {
  readonly options: DiffOptions
  #plainKeys: Record<string, Json> | undefined
  #meta: Record<string, Json> | undefined

  constructor(options: DiffOptions) {
    this.options = options
  }

  addPlainKey(key: string, value: Json): void {
    if (!this.options.isPatch && !isSignificant(value)) return
    setKey((this.#plainKeys ??= {}), DOLLAR_KEY.test(key) ? `$${key}` : key, value)
  }

  addMeta(group: GroupName, key: string, value: Json): void {
    const meta = (this.#meta ??= {})
    setKey((meta[group] ??= {}) as object, key, value)
  }

  /** Records a value that replaces another one, or that is bound to content, with its guard. */
  addGuarded(group: 'replaced' | 'bound', key: string, createGuard: () => string, value: Json): void {
    if (this.options.isPatch) this.addMeta(group, key, [createGuard(), value])
    else if (isSignificant(value)) this.addMeta(group, key, ['', value])
  }

  /** Records the length of a list whose items differ. */
  setListLength(items: number): void {
    if (this.#meta !== undefined) this.#meta[LENGTH_KEY] = items
  }

  /** Compares two values of one key: values of the same form are patched inside, others are replaced. */
  compare(key: string, encoded: Json, wire: Json): void {
    if (encoded === wire) return
    const objects = isObject(encoded) && isObject(wire)
    const lists = isList(encoded) && isList(wire) && encoded.length === wire.length
    const nested =
      objects || lists ? collectDifference(encoded, wire, this.options).build(EMPTY_RESIDUE) : undefined
    if (nested !== undefined) this.addMeta('nested', key, nested)
    else if (!objects && !lists) this.addGuarded('replaced', key, () => digestJsonShort(encoded), wire)
  }

  build(hints: JsonObject): Residue | undefined {
    if (!isEmptyObject(hints)) (this.#meta ??= {})['hints'] = hints
    if (this.#meta !== undefined) (this.#plainKeys ??= {})[META_KEY] = this.#meta
    return this.#plainKeys
  }
}

function diffObjects(encoded: JsonObject, wire: JsonObject, found: ResidueBuilder): void {
  const { aliases, binding, isPatch } = found.options
  const keys = Object.keys(encoded)
  const spellings = aliases === EMPTY_RESIDUE ? undefined : findAliases(keys, wire, aliases)
  let matched = 0
  for (const key of Object.keys(wire)) {
    const value = wire[key] as Json
    const encodedKey = spellings?.get(key) ?? key
    if (binding?.keys.includes(key) && isSignificant(value)) {
      if (Object.hasOwn(encoded, key)) matched += 1
      if (!isEqualJson(encoded[key], value))
        found.addGuarded('bound', key, () => createBindingGuard(binding.content), value)
      continue
    }
    if (!Object.hasOwn(encoded, encodedKey)) {
      found.addPlainKey(key, value)
      continue
    }
    matched += 1
    if (encodedKey !== key) found.addMeta('spelledAs', encodedKey, key)
    found.compare(encodedKey, encoded[encodedKey] as Json, value)
  }
  if (matched === keys.length || !isPatch) return
  const respelled = [...(spellings?.values() ?? [])]
  for (const key of keys) {
    if (!Object.hasOwn(wire, key) && !respelled.includes(key))
      found.addMeta('omitted', key, digestJsonShort(encoded[key] as Json))
  }
}

function diffLists(encoded: readonly Json[], wire: readonly Json[], found: ResidueBuilder): void {
  if (encoded.length !== wire.length) return
  wire.forEach((value, index) => {
    const encodedItem = encoded[index] as Json
    if (encodedItem !== value) found.compare(String(index), encodedItem, value)
  })
  found.setListLength(wire.length)
}

/** Finds wire keys that are another spelling of a key that the encoder writes; undefined if there are none. */
function findAliases(
  keys: readonly string[],
  wire: JsonObject,
  aliases: AliasesByKey,
): ReadonlyMap<string, string> | undefined {
  let spellings: Map<string, string> | undefined
  for (const key of keys) {
    if (Object.hasOwn(wire, key) || !Object.hasOwn(aliases, key)) continue
    const other = aliases[key]?.find((alias) => Object.hasOwn(wire, alias))
    if (other !== undefined) (spellings ??= new Map()).set(other, key)
  }
  return spellings
}
