import type { ArgumentsDeltaEvent } from '../../canonical/model/event.ts'
import type { Part } from '../../canonical/model/part.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject, type JsonSchema, setKey } from '../../wire/json.ts'
import { createJsonKeyRewriter, type JsonKeyRewriter } from '../../wire/json-key-rewriter.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { memoizeBySchema } from '../../wire/memoize.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import type { PropertyKeyHint } from '../engine/residue-hints.ts'
import { addHints, type Slot } from '../engine/residue-slots.ts'
import { StreamArgumentsReader } from './tool-arguments.ts'
import { fitToolName, isValidToolName, type ToolNameRule } from './tool-names.ts'

/** Keywords whose schemas describe the same object as the schema that contains them. */
const sameObjectKeywords: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else'])
const sameObjectListKeywords: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf'])

/** Keywords with lists of property keys, and keywords with objects whose keys are property keys. */
const keyListKeywords: ReadonlySet<string> = new Set(['required', 'propertyOrdering'])
const keyMapKeywords: ReadonlySet<string> = new Set(['properties', 'dependentRequired', 'dependentSchemas'])

type RenameKey = (key: string) => string

/** Renames the properties of the object that a schema describes; nested objects keep theirs. */
function renameProperties(schema: JsonSchema, rename: RenameKey): JsonSchema {
  const renameIn = (value: Json): Json => (isObject(value) ? renameProperties(value, rename) : value)
  return mapEntries(schema, (key, value) => {
    if (sameObjectKeywords.has(key)) return [key, renameIn(value)]
    if (sameObjectListKeywords.has(key) && isList(value)) return [key, value.map(renameIn)]
    if (keyListKeywords.has(key)) return [key, renameListed(value, rename)]
    if (!keyMapKeywords.has(key) || !isObject(value)) return [key, value]
    const renamed = mapEntries(value, (name, part) => {
      const inner = key === 'dependentSchemas' ? renameIn(part) : renameListed(part, rename)
      return [rename(name), inner]
    })
    return [key, renamed]
  })
}

function renameListed(value: Json, rename: RenameKey): Json {
  return isList(value) ? value.map((name) => (typeof name === 'string' ? rename(name) : name)) : value
}

function mapEntries(
  object: JsonObject,
  change: (key: string, value: Json) => readonly [string, Json],
): JsonObject {
  const changed = {}
  for (const [key, value] of Object.entries(object)) setKey(changed, ...change(key, value))
  return changed
}

/** Returns true if all keys of an object follow the rule. */
export function hasOnlyValidKeys(object: JsonObject, rule: ToolNameRule): boolean {
  for (const key in object) if (!isValidToolName(key, rule) && Object.hasOwn(object, key)) return false
  return true
}

/** Returns a tool schema whose properties have keys that the provider accepts. Changes are reported. */
export function encodeSchemaKeys(
  schema: JsonSchema,
  rule: ToolNameRule,
  path: Path | undefined,
  context: EncodeContext,
): JsonSchema {
  const { properties } = schema
  if (!isObject(properties) || hasOnlyValidKeys(properties, rule)) return schema
  context.report('property-keys', path)
  return renameProperties(schema, (key) => fitToolName(key, rule))
}

/** Returns the hint for received arguments with keys that break the rule. */
export function createPropertyKeyHint(args: JsonObject, rule: ToolNameRule): Hints<PropertyKeyHint> {
  return hasOnlyValidKeys(args, rule) ? {} : { acceptedKeys: true }
}

/** Returns the arguments of a call in a conversation under the keys of the encoded tool schema. */
export function encodeArgumentKeys(
  args: JsonObject,
  hints: Hints<PropertyKeyHint>,
  rule: ToolNameRule,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  if (hints['acceptedKeys'] === true || hasOnlyValidKeys(args, rule)) return args
  // Sending restored keys under the names that the provider chose again is no loss.
  if (hints['restoredKeys'] !== true) context.report('argument-keys', child(path, 'arguments'))
  return mapEntries(args, (key, value) => [fitToolName(key, rule), value])
}

/** The original property keys by the keys that were sent, for each tool that has such keys. */
export type OriginalPropertyKeys = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Collects the property keys of the tools of a request that were sent as other keys. */
export function collectOriginalPropertyKeys(
  request: ChatRequest | undefined,
  rule: ToolNameRule,
): OriginalPropertyKeys {
  const keysByTool = new Map<string, ReadonlyMap<string, string>>()
  for (const tool of request?.tools ?? []) {
    if (tool.type !== 'function') continue
    const names = collectPropertyNames(tool.input)
    const renamed = names.flatMap((name) =>
      isValidToolName(name, rule) ? [] : [[fitToolName(name, rule), name] as const],
    )
    // A key that the tool declares itself is no replacement.
    const originals = renamed.filter(([key]) => !names.includes(key))
    if (originals.length > 0) keysByTool.set(tool.name, new Map(originals))
  }
  return keysByTool
}

/** Returns every name that a schema declares as a property: alternatives and references are not evaluated. */
const collectPropertyNames = memoizeBySchema((schema): readonly string[] => {
  const names = new Set<string>()
  const visit = (value: Json): void => {
    if (isList(value)) value.forEach(visit)
    if (!isObject(value)) return
    for (const [key, part] of Object.entries(value)) {
      if (key === 'properties' && isObject(part)) for (const name of Object.keys(part)) names.add(name)
      visit(part)
    }
  }
  visit(schema)
  return [...names]
})

/** Returns a call with the original keys of its arguments. `part` has the original name of its tool already. */
export function restoreArgumentKeys<T extends Part>(
  part: T,
  keysByTool: OriginalPropertyKeys,
  slot: Slot<PropertyKeyHint>,
): T {
  const keys = isApplicationCall(part) ? keysByTool.get(part.name) : undefined
  if (keys === undefined || !isApplicationCall(part) || part.arguments === undefined) return part
  const restored = mapEntries(part.arguments, (key, value) => [keys.get(key) ?? key, value])
  return freezeOwned<T>(addHints({ ...part, arguments: restored }, slot, { restoredKeys: true }))
}

/** Reads the streamed arguments of a call under the original keys of its tool. */
export class OriginalArgumentsReader {
  readonly #arguments: StreamArgumentsReader
  readonly #keys: JsonKeyRewriter | undefined

  /** `keys` are those of the tool, if its schema was sent with other ones. */
  constructor(keys: ReadonlyMap<string, string> | undefined, limits: DecodeOptions['limits']) {
    this.#arguments = new StreamArgumentsReader(limits)
    this.#keys = keys && createJsonKeyRewriter((key) => keys.get(key))
  }

  append(index: number, json: string): ArgumentsDeltaEvent {
    return this.#arguments.append(index, this.#keys?.push(json) ?? json)
  }

  /** Returns the rest of an incomplete key. */
  end(index: number): readonly ArgumentsDeltaEvent[] {
    const rest = this.#keys?.end() ?? ''
    return rest === '' ? [] : [this.#arguments.append(index, rest)]
  }
}
