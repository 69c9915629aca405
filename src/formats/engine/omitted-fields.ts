import type { FormatLossRule } from '../../canonical/losses/loss-catalog.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { OpaquePart, Part } from '../../canonical/model/part.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from './format-loss-reporter.ts'

type MessageField = 'createdAt' | 'parentId' | 'origin' | 'usage' | 'finish' | 'name' | 'metadata'

type PartField =
  | 'cache'
  | 'signature'
  | 'metadata'
  | 'citations'
  | 'detail'
  | 'transcript'
  | 'summary'
  | 'redacted'
  | 'executedBy'

/** Fields of messages that not every format has, with the rule for a format that omits the field. */
const MESSAGE_FIELD_RULES: { readonly [field in MessageField]: FormatLossRule } = {
  createdAt: 'message-field',
  parentId: 'message-field',
  origin: 'message-field',
  usage: 'message-field',
  finish: 'message-field',
  name: 'message-name',
  metadata: 'metadata-dropped',
}

/** Fields of parts that not every format has, with the rule for a format that omits the field. */
const PART_FIELD_RULES: { readonly [field in PartField]: FormatLossRule } = {
  cache: 'cache-hint',
  signature: 'signature-dropped',
  metadata: 'metadata-dropped',
  citations: 'citations-dropped',
  detail: 'media-detail',
  transcript: 'media-detail',
  summary: 'reasoning-mark',
  redacted: 'reasoning-mark',
  executedBy: 'executed-by',
}

/** The optional canonical fields that a format can represent. A field that is not listed is reported when it is omitted. */
export interface WritableFields {
  readonly message: readonly MessageField[]
  readonly part: readonly PartField[]
  /** The fields of parts inside of tool results. */
  readonly resultContent: readonly PartField[]
}

/** Reports the fields of a message and of its parts that a format omits, and residue of other formats. */
export function reportOmittedFields(
  message: Message,
  path: Path,
  carried: WritableFields,
  report: FormatReporter,
): void {
  reportFields(message, path, MESSAGE_FIELD_RULES, carried.message, report)
  report.addResidue(message.extra, path)
  message.content.forEach((part: Part, index) => {
    const partPath = child(child(path, 'content'), index)
    reportPart(part, partPath, carried.part, report)
    if (part.type !== 'tool-result') return
    part.content.forEach((inner, position) =>
      reportPart(inner, child(child(partPath, 'content'), position), carried.resultContent, report),
    )
  })
}

function reportPart(part: Part, path: Path, carried: WritableFields['part'], report: FormatReporter): void {
  reportFields(part, path, PART_FIELD_RULES, carried, report)
  report.addResidue(part.extra, path)
  if (part.type !== 'text') return
  part.citations?.forEach((citation, index) => {
    if (citation.type === 'source') report.addResidue(citation.extra, child(child(path, 'citations'), index))
  })
}

function reportFields<Field extends string>(
  unit: object,
  path: Path,
  rules: { readonly [field in Field]: FormatLossRule },
  carried: readonly Field[],
  report: FormatReporter,
): void {
  for (const field of Object.keys(rules) as Field[])
    if (Object.hasOwn(unit, field) && !carried.includes(field)) report.add(rules[field], child(path, field))
}

const USAGE_DETAILS = ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const

/** Reports the counts of a usage that a format with only the input and output counts omits. */
export function reportUsageDetails(usage: Usage, path: Path, report: FormatReporter): void {
  for (const key of USAGE_DETAILS)
    if (usage[key] !== undefined) report.add('message-field', child(child(path, 'usage'), key))
}

/** Returns the value of an opaque part that was read from the same format. Any other opaque part is reported. */
export function writeOpaquePart(
  { dialect, value }: OpaquePart,
  format: string,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  if (dialect === format && isObject(value)) return value
  report.add('foreign-opaque', path)
  return undefined
}
