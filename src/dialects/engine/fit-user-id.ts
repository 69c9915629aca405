import type { ChatRequest } from '../../canonical/model/request.ts'
import { digestText } from '../../wire/digest.ts'
import { itemsOf } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from './encode-context.ts'
import type { EngineHint } from './residue-hints.ts'

/** A setting whose value is an id that the application chooses. */
type IdSetting = 'user' | 'safetyIdentifier' | 'promptCacheKey'

/** The entries of `metadata` that a host accepts. */
export interface LabelRule {
  /** Default: no limit. */
  readonly maxCount?: number
  readonly maxKeyLength: number
  readonly maxValueLength: number
  /** Matches the characters of keys and values. Default: any. */
  readonly pattern?: RegExp
}

/** The user ids that a host accepts. */
export interface UserIdRule {
  /** The settings that have this rule. Default: `user`. */
  readonly settings?: readonly IdSetting[]
  /** The limits of `metadata`. Default: none. */
  readonly labels?: LabelRule
  readonly minLength?: number
  readonly maxLength: number
  /** Matches the ids that the host accepts. */
  readonly pattern?: RegExp
  /** Matches ids that the host refuses, such as e-mail addresses. */
  readonly refused?: RegExp
}

/** Replaces the ids that the host refuses by digests of them, which are the same for each request of the user. */
export function fitUserIds(
  request: ChatRequest,
  rule: UserIdRule | undefined,
  hints: Hints<EngineHint>,
  context: EncodeContext,
): ChatRequest {
  const received = [hints['acceptedUser'], ...itemsOf(hints['acceptedLabels'])]
  const refused = listRefusedIds(request, rule).filter(([, id]) => !received.includes(digestUserId(id)))
  if (refused.length === 0) return request
  for (const [setting] of refused) context.report('user-digest', child(undefined, setting))
  return { ...request, ...Object.fromEntries(refused.map(([setting, id]) => [setting, digestUserId(id)])) }
}

/** Creates the hints for received ids and labels that break the rule of the host. */
export function createUserIdHint(request: ChatRequest, rule: UserIdRule): Hints<EngineHint> {
  const ids = listRefusedIds(request, rule)
  const others = ids.filter(([setting]) => setting !== 'user').map(([, id]) => digestUserId(id))
  const labels = [...others, ...listRefusedLabels(request, rule).map(digestLabel)]
  return {
    ...(others.length < ids.length && { acceptedUser: digestUserId(request.user ?? '') }),
    ...(labels.length > 0 && { acceptedLabels: labels }),
  }
}

/** Omits the labels that the host refuses: long ones, those with other characters, and those beyond its limit. */
export function fitLabels(
  request: ChatRequest,
  rule: UserIdRule | undefined,
  hints: Hints<EngineHint>,
  context: EncodeContext,
): ChatRequest {
  const received = itemsOf(hints['acceptedLabels'])
  const refused = listRefusedLabels(request, rule).filter((label) => !received.includes(digestLabel(label)))
  if (refused.length === 0) return request
  const path = child(undefined, 'metadata')
  for (const [key] of refused) context.report('metadata-limit', child(path, key))
  const omitted = new Set(refused.map(([key]) => key))
  const kept = Object.entries(request.metadata ?? {}).filter(([key]) => !omitted.has(key))
  const { metadata: _metadata, ...others } = request
  return { ...others, ...(kept.length > 0 && { metadata: Object.fromEntries(kept) }) }
}

type Label = readonly [key: string, value: string]

function listRefusedLabels({ metadata = {} }: ChatRequest, rule: UserIdRule | undefined): readonly Label[] {
  if (rule?.labels === undefined) return []
  const { maxCount, maxKeyLength, maxValueLength, pattern } = rule.labels
  const isValid = ([key, value]: Label): boolean =>
    key.length <= maxKeyLength &&
    value.length <= maxValueLength &&
    (pattern === undefined || (key !== '' && pattern.test(key) && pattern.test(value)))
  const labels = Object.entries(metadata)
  const sent = new Set(labels.filter(isValid).slice(0, maxCount))
  return labels.filter((label) => !sent.has(label))
}

function digestLabel(label: Label): string {
  return digestText(JSON.stringify(label)).slice(0, 32)
}

function listRefusedIds(
  request: ChatRequest,
  rule: UserIdRule | undefined,
): readonly (readonly [IdSetting, string])[] {
  if (rule === undefined) return []
  return (rule.settings ?? (['user'] as const)).flatMap((setting) => {
    const id = request[setting]
    return id === undefined || isAccepted(id, rule) ? [] : [[setting, id] as const]
  })
}

function isAccepted(id: string, { minLength = 0, maxLength, pattern, refused }: UserIdRule): boolean {
  return (
    id.length >= minLength &&
    id.length <= maxLength &&
    pattern?.test(id) !== false &&
    refused?.test(id) !== true
  )
}

/** Returns a digest in the characters and the length that every known host accepts. */
function digestUserId(id: string): string {
  return `user_${digestText(id).slice(0, 32)}`
}
