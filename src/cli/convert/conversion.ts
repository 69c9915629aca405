import type { Translation, Loss } from '../../canonical/model/loss.ts'
import { toJson } from '../../canonical/stored/stored-form.ts'
import type { EncodeOptions, Flavor } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { type DocumentContent, type FormatName, isDialectName } from '../input/document.ts'
import { InterlinguaError } from '../../errors.ts'

/** Throws for the first loss if `--strict` is given; notes are always allowed. */
export function refuseLosses(losses: readonly Loss[], { strict }: { readonly strict?: boolean }): void {
  const refused = strict === true ? losses.find(({ severity }) => severity === 'loss') : undefined
  if (refused === undefined) return
  throw new InterlinguaError(
    'loss-refused',
    `--strict refused the conversion to ${refused.dialect}: ${refused.reason.replace(/\.$/, '')}`,
    {
      path: refused.path,
      found: refused.rule,
      hint: `Omit --strict to allow the rule '${refused.rule}'.`,
    },
  )
}

/** What the input is to become. */
export interface ConversionTarget {
  readonly to: FormatName
  /** The host that a request goes to. */
  readonly flavor?: Flavor
  /** The model that a request asks, in place of its own. */
  readonly model?: string
}

/** How to write for a target. */
export function toEncodeOptions({ flavor, model }: ConversionTarget): EncodeOptions {
  return { ...(flavor !== undefined && { flavor }), ...(model !== undefined && { model }) }
}

/** What was read, in the form of the target. */
export function encodeContent(content: DocumentContent, target: ConversionTarget): Translation<unknown> {
  const { to } = target
  if (!isDialectName(to)) return { value: encodeStored(content, target), losses: [] }
  const options = toEncodeOptions(target)
  if (content.kind === 'response') return dialects[to].encodeResponse(content.response, options)
  const request = content.kind === 'request' ? content.request : { messages: content.messages }
  return dialects[to].encodeRequest(request, options)
}

function encodeStored(content: DocumentContent, { model }: ConversionTarget): unknown {
  if (content.kind === 'response') return toJson(content.response)
  if (content.kind === 'messages') return toJson(content.messages)
  return toJson({ ...content.request, ...(model !== undefined && { model }) })
}
