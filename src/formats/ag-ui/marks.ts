import type { LossRule } from '../../canonical/model/loss.ts'
import type { AssistantPart, ToolCallPart } from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import type { JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { LossReport } from '../shared/report.ts'
import { plainCitation } from '../shared/results.ts'
import type { Unit } from '../shared/unit.ts'
import type { AgUiMetadata } from './events.ts'

type Marked = { readonly metadata?: AgUiMetadata }

/** Metadata under our name; none where there is nothing to say. */
export function ours(marks: object): Marked {
  return Object.keys(marks).length === 0 ? {} : { metadata: { interlingua: marks } }
}

/** The signature of a part, while it still vouches for what the part says. */
export function vouched(
  part: AssistantPart,
  at: Path,
  report: LossReport,
): { readonly vendor: string; readonly value: string } | undefined {
  if (part.signature === undefined) return undefined
  const { vendor, value } = part.signature
  if (signatureHolds(part)) return { vendor, value }
  report.lose('stale-signature', at)
  return undefined
}

/** What a part says that its events have no field for. */
export function marksOf({ at, part: opened }: Unit, whole: AssistantPart, report: LossReport): Marked {
  switch (whole.type) {
    case 'refusal':
      return ours({ refusal: true })
    case 'reasoning':
      return ours({ ...(whole.summary && { summary: true }), ...(whole.redacted && { redacted: true }) })
    case 'tool-call':
      return callMarks(at, opened, whole, report)
    case 'text':
      if (whole.citations === undefined) return {}
      report.lose('citations-as-metadata', below(at, 'citations'))
      return ours({ citations: whole.citations.map(plainCitation) })
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
    case 'tool-result':
    case 'opaque':
      return {}
  }
}

function callMarks(at: Path, opened: AssistantPart, whole: ToolCallPart, report: LossReport): Marked {
  const renamed = opened.type === 'tool-call' && opened.name !== whole.name
  const all: readonly (readonly [rule: LossRule, applies: boolean, mark: JsonObject])[] = [
    ['call-name', renamed, { name: whole.name }],
    ['call-invalid', whole.invalidArguments !== undefined, { invalidArguments: true }],
    ['provider-call', whole.executedBy === 'provider', { executedBy: 'provider' }],
  ]
  const said = all.filter(([, applies]) => applies)
  for (const [rule] of said) report.lose(rule, at)
  return ours(said.reduce<JsonObject>((marks, [, , mark]) => ({ ...marks, ...mark }), {}))
}
