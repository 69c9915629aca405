import type { DialectLossRule } from '../../canonical/losses/loss-catalog.ts'
import {
  type ChatRequest,
  type LogprobSettings,
  type OutputFormat,
  type ReasoningSettings,
  VERBOSITIES,
  type Verbosity,
} from '../../canonical/model/request.ts'
import { isNumericSetting, settingRanges } from '../../canonical/model/setting-ranges.ts'
import type { ToolChoice } from '../../canonical/model/tool.ts'
import { isSafeInteger, isObject, type Json, type JsonObject, getOwnValue } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from './encode-context.ts'
import type { EngineHint } from './residue-hints.ts'
import type { MediaPart } from '../../canonical/model/part.ts'

/** Values of settings that equal the default of every provider: omitting them is no loss. */
const settingDefaults: Partial<ChatRequest & Pick<OutputFormat, 'strict'>> = {
  parallelToolCalls: true,
  strict: false,
  temperature: 1,
  topP: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  candidateCount: 1,
  verbosity: 'medium',
  serviceTier: 'auto',
  store: false,
}

/** Returns true if a setting is present with another value than its default. */
export function hasNonDefaultSetting(request: ChatRequest, key: keyof ChatRequest): boolean {
  return request[key] !== undefined && request[key] !== settingDefaults[key]
}

/** Returns true if a field beside the content of a media part is present; `auto` is the default detail. */
export function hasMediaField(part: MediaPart, key: 'name' | 'detail' | 'transcript'): boolean {
  return part[key] !== undefined && !(key === 'detail' && part.detail === 'auto')
}

/** The service tiers of both OpenAI formats. */
const SERVICE_TIERS = ['auto', 'default', 'flex', 'priority', 'scale'] as const

/**
 * Checks of wire values; a value that fails its check stays residue.
 *
 * @example
 * valueChecks.integer(1.5) // false
 */
export const valueChecks = {
  string: (value: unknown): value is string => typeof value === 'string',
  boolean: (value: unknown): value is boolean => typeof value === 'boolean',
  number: (value: unknown): value is number => typeof value === 'number',
  integer: (value: unknown): value is number => isSafeInteger(value),
  /** An integer of at least 1. */
  count: (value: unknown): value is number => isSafeInteger(value) && value > 0,
  /** A list of strings, none of them empty. */
  strings: (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== ''),
  serviceTier: (value: unknown): value is string => SERVICE_TIERS.some((each) => each === value),
  verbosity: (value: unknown): value is Verbosity => VERBOSITIES.some((each) => each === value),
  labels: (value: unknown): value is { readonly [key: string]: string } =>
    isObject(value) && Object.values(value).every((each) => typeof each === 'string'),
} as const

/** Support for a setting whose value is the same on the wire, under a key of the format. */
export interface DirectSetting<Value> {
  readonly support: 'direct'
  readonly key: string
  readonly wire: readonly [path: string]
  readonly check: (value: unknown) => value is Value
  readonly note?: string
}

/** Support for a setting that code of the dialect converts, and the wire fields that it becomes. */
export interface ConvertedSetting {
  readonly support: 'converted'
  readonly wire: readonly string[]
  readonly note?: string
}

/** A setting without a wire field, and the loss rule that reports it. */
export interface UnsupportedSetting {
  readonly support: 'unsupported'
  readonly wire: readonly []
  readonly rule: DialectLossRule
}

/** Support for one setting in one dialect: only a JSON value can be sent as it is. */
type SettingSupport<Value> =
  | ([Value] extends [Json] ? DirectSetting<Value> : never)
  | ConvertedSetting
  | UnsupportedSetting

/** States the support for every field of `T`: a new field does not compile until each dialect decides about it. */
export type SettingSupportTable<T> = { readonly [K in keyof T]-?: SettingSupport<Exclude<T[K], undefined>> }

/** The forms of a tool choice: its string values, and the fields of its objects. */
export type ToolChoiceForm<Choice = ToolChoice> = Choice extends string ? Choice : keyof Choice & string

/** States what a dialect does with every setting of a request. */
export interface SettingTables {
  readonly request: SettingSupportTable<ChatRequest>
  readonly reasoning: SettingSupportTable<ReasoningSettings>
  readonly output: SettingSupportTable<OutputFormat>
  readonly logprobs: SettingSupportTable<LogprobSettings>
  readonly toolChoice: { readonly [form in ToolChoiceForm]: ConvertedSetting | UnsupportedSetting }
}

/**
 * Returns the support for a setting that is sent as it is; `parent` is the wire object that contains `key`.
 *
 * @example
 * directSetting('max_tokens', valueChecks.integer)
 */
export function directSetting<Value>(
  key: string,
  check: (value: unknown) => value is Value,
  { parent, note }: { readonly parent?: string; readonly note?: string } = {},
): DirectSetting<Value> {
  const wire = parent === undefined ? key : `${parent}.${key}`
  return { support: 'direct', key, wire: [wire], check, ...(note !== undefined && { note }) }
}

/**
 * Returns the support for a setting that code of the dialect converts to the fields `wire`.
 *
 * @example
 * convertedSetting(['tools'], 'each tool is one entry')
 */
export function convertedSetting(wire: readonly string[], note?: string): ConvertedSetting {
  return { support: 'converted', wire, ...(note !== undefined && { note }) }
}

/**
 * Returns the support for a setting without a wire field, which `rule` reports.
 *
 * @example
 * unsupportedSetting().rule // 'no-field'
 */
export function unsupportedSetting(rule: DialectLossRule = 'no-field'): UnsupportedSetting {
  return { support: 'unsupported', wire: [], rule }
}

/** Returns true for a value that is no number out of the range of its setting. */
function isInRange(name: string, value: unknown): boolean {
  return !isNumericSetting(name) || settingRanges[name].includes(value)
}

/** Decodes the settings that the wire object contains under the keys of the table's rows. */
export function decodeDirectSettings<T>(wire: object, table: SettingSupportTable<T>): Partial<T> {
  const out: { -readonly [K in keyof T]?: T[K] } = {}
  for (const name in table) {
    const setting = table[name]
    if (setting.support !== 'direct') continue
    const value = getOwnValue(wire, setting.key)
    if (setting.check(value) && isInRange(name, value)) out[name] = value
  }
  return out
}

/** Encodes the settings that the table sends as they are. */
export function encodeDirectSettings<T extends object>(
  settings: T,
  table: SettingSupportTable<T>,
): JsonObject {
  const out: Record<string, Json> = {}
  for (const name in table) {
    const setting = table[name]
    const value = setting.support === 'direct' ? getOwnValue(settings, name) : undefined
    // The table has rows for JSON values only.
    if (setting.support === 'direct' && setting.check(value)) out[setting.key] = value
  }
  return out
}

/** Reports each setting whose value has no wire field. Defaults, empty lists and empty objects have no effect. */
export function reportUnsupportedSettings<T extends object>(
  settings: T,
  table: SettingSupportTable<T>,
  path: Path | undefined,
  context: EncodeContext,
): void {
  for (const name in table) {
    const setting = table[name]
    const value = getOwnValue(settings, name)
    if (value === undefined || setting.support === 'converted') continue
    if (setting.support === 'direct') {
      if (!setting.check(value)) context.report('no-field', child(path, name))
      continue
    }
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (!isEmpty && value !== getOwnValue(settingDefaults, name))
      context.report(setting.rule, child(path, name))
  }
}

/**
 * Raises an output limit of 0 to 1 for a format without a request that only fills the prompt cache: most providers would
 * refuse 0, and some would generate without a limit.
 */
export function raiseZeroOutputLimit(
  request: ChatRequest,
  { request: { maxOutputTokens: setting } }: SettingTables,
  context: EncodeContext,
): ChatRequest {
  if (request.maxOutputTokens !== 0 || setting.support !== 'direct' || setting.check(0)) return request
  context.report('output-limit', child(undefined, 'maxOutputTokens'))
  return { ...request, maxOutputTokens: 1 }
}

/** Decodes stop sequences: a string or a list. */
export function decodeStopSequences(stop: Json | undefined): Pick<ChatRequest, 'stop'> {
  const list = typeof stop === 'string' ? [stop] : stop
  return valueChecks.strings(list) ? { stop: list } : {}
}

/** Creates the hint for a received list of stop sequences that is longer than the limit. */
export function createStopCountHint(stop: Json | undefined, limit: number): Hints<EngineHint> {
  return Array.isArray(stop) && stop.length > limit ? { acceptedStopCount: stop.length } : {}
}

/** Returns the stop sequences up to the limit, or up to the received number if that is higher. */
export function limitStopSequences(
  stop: readonly string[],
  limit: number,
  { acceptedStopCount }: Hints<EngineHint>,
  context: EncodeContext,
): readonly string[] {
  const allowed = Math.max(limit, Number(acceptedStopCount ?? 0))
  for (let index = allowed; index < stop.length; index += 1)
    context.report('stop-limit', child(child(undefined, 'stop'), index))
  return stop.slice(0, allowed)
}

/** The settings of OpenAI's APIs that no other format has, with the rule that reports them. */
export const unsupportedOpenaiSettings: {
  readonly [
    key in 'metadata' | 'verbosity' | 'serviceTier' | 'store' | 'promptCacheKey' | 'safetyIdentifier'
  ]: UnsupportedSetting
} = {
  metadata: unsupportedSetting(),
  verbosity: unsupportedSetting(),
  serviceTier: unsupportedSetting(),
  store: unsupportedSetting(),
  promptCacheKey: unsupportedSetting('cache-hint'),
  safetyIdentifier: unsupportedSetting(),
}
