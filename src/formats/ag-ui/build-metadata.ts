import type { UiRule } from '../../canonical/losses/catalog.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { LossReport } from '../shared/loss-report.ts'
import { toPlainCitation } from '../shared/plain-output.ts'
import type { PartInProgress } from '../shared/part-in-progress.ts'
import type { AgUiMetadata } from './events.ts'

type WithMetadata = { readonly metadata?: AgUiMetadata }

/** Wraps fields as metadata under the key `interlingua`; without fields there is no metadata. */
export function wrapInInterlinguaMetadata(fields: object): WithMetadata {
  return Object.keys(fields).length === 0 ? {} : { metadata: { interlingua: fields } }
}

/** Returns the signature of a part if it still matches the content of the part. */
export function readValidSignature(
  part: AssistantPart,
  path: Path,
  report: LossReport,
): { readonly vendor: string; readonly value: string } | undefined {
  if (part.signature === undefined) return undefined
  const { vendor, value } = part.signature
  if (isSignatureValid(part)) return { vendor, value }
  report.add('stale-signature', path)
  return undefined
}

/** Returns the fields of a part that AG-UI events lack, as metadata. */
export function buildPartMetadata(
  { path, part: opened }: PartInProgress,
  finalPart: AssistantPart,
  report: LossReport,
): WithMetadata {
  switch (finalPart.type) {
    case 'refusal':
      return wrapInInterlinguaMetadata({ refusal: true })
    case 'reasoning':
      return wrapInInterlinguaMetadata({
        ...(finalPart.summary && { summary: true }),
        ...(finalPart.redacted && { redacted: true }),
      })
    case 'tool-call':
      return buildCallMetadata(path, opened, finalPart, report)
    case 'text':
      if (finalPart.citations === undefined) return {}
      report.add('citations-as-metadata', child(path, 'citations'))
      return wrapInInterlinguaMetadata({ citations: finalPart.citations.map(toPlainCitation) })
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return {}
  }
}

function buildCallMetadata(
  path: Path,
  opened: AssistantPart,
  finalPart: ToolCallPart,
  report: LossReport,
): WithMetadata {
  const renamed = opened.type === 'tool-call' && opened.name !== finalPart.name
  const all: readonly (readonly [rule: UiRule, applies: boolean, field: JsonObject])[] = [
    ['call-name', renamed, { name: finalPart.name }],
    ['call-invalid', finalPart.invalidArguments !== undefined, { invalidArguments: true }],
    ['provider-call', finalPart.executedBy === 'provider', { executedBy: 'provider' }],
  ]
  const applied = all.filter(([, applies]) => applies)
  for (const [rule] of applied) report.add(rule, path)
  return wrapInInterlinguaMetadata(
    applied.reduce<JsonObject>((fields, [, , field]) => ({ ...fields, ...field }), {}),
  )
}
