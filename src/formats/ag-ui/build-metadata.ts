import type { AssistantPart, Signature, ToolCallPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isEmptyObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { LossReporter } from '../shared/loss-reporter.ts'
import { toPlainCitation } from '../shared/to-plain-output.ts'
import type { PartInProgress, TextualPart } from '../shared/part-in-progress.ts'
import type { AgUiMetadata } from './ag-ui-event.ts'

type WithMetadata = { readonly metadata?: AgUiMetadata }

/** Wraps fields as metadata under the key `interlingua`; without fields there is no metadata. */
export function wrapInMetadata(fields: object): WithMetadata {
  return isEmptyObject(fields) ? {} : { metadata: { interlingua: fields } }
}

/** Returns the signature of a part if it still matches the content of the part. */
export function readValidSignature(
  part: AssistantPart,
  path: Path,
  report: LossReporter,
): Omit<Signature, 'contentDigest'> | undefined {
  if (part.signature === undefined) return undefined
  const { vendor, value } = part.signature
  if (isSignatureValid(part)) return { vendor, value }
  report.add('stale-signature', path)
  return undefined
}

/** Returns the fields of a part that AG-UI events lack, as metadata. */
export function buildPartMetadata(
  progress: PartInProgress,
  finalPart: TextualPart | ToolCallPart,
  report: LossReporter,
): WithMetadata {
  switch (finalPart.type) {
    case 'refusal':
      return wrapInMetadata({ refusal: true })
    case 'reasoning': {
      const { summary, redacted } = finalPart
      return wrapInMetadata({ ...(summary && { summary }), ...(redacted && { redacted }) })
    }
    case 'tool-call':
      return buildCallMetadata(progress, finalPart, report)
    case 'text':
      if (finalPart.citations === undefined) return {}
      report.add('citations-as-metadata', child(progress.path, 'citations'))
      return wrapInMetadata({ citations: finalPart.citations.map(toPlainCitation) })
  }
}

function buildCallMetadata(
  { path, part: opened }: PartInProgress,
  { name, invalidArguments, executedBy }: ToolCallPart,
  report: LossReporter,
): WithMetadata {
  const isRenamed = opened.type === 'tool-call' && opened.name !== name
  const isInvalid = invalidArguments !== undefined
  if (isRenamed) report.add('call-name', path)
  if (isInvalid) report.add('call-invalid', path)
  if (executedBy !== undefined) report.add('provider-call', path)
  return wrapInMetadata({
    ...(isRenamed && { name }),
    ...(isInvalid && { invalidArguments: true }),
    ...(executedBy && { executedBy }),
  })
}
