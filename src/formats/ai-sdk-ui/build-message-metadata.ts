import type { StartEvent, FinishEvent, UsageEvent } from '../../canonical/model/event.ts'
import type { FinishReason } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isEmptyObject, type JsonObject, omitUndefined } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { LossReporter } from '../shared/loss-reporter.ts'
import { pickMediaDetails } from '../shared/to-plain-output.ts'
import type { ProviderMetadata, UIFinishReason } from './ui-message-chunk.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** The events for which message metadata can be sent. */
export type MetadataEvent = StartEvent | UsageEvent | FinishEvent

/**
 * Returns metadata for the option `messageMetadata`: model, time, usage and finish reason, as far as they are known.
 *
 * @example
 * toUIMessageStream(events, { messageMetadata: buildMessageMetadata })
 */
export function buildMessageMetadata(event: MetadataEvent): JsonObject | undefined {
  return withTypedErrors(() => {
    if (event.type === 'finish') return { finish: { ...event.finish } }
    if (event.type === 'usage') {
      const { extra: _extra, ...usage } = event.usage
      return { usage }
    }
    const { model, createdAt } = event
    if (model === undefined && createdAt === undefined) return undefined
    return omitUndefined({ model, createdAt })
  }, [event])
}

/** Finish reasons of the protocol; a reason that it lacks becomes the nearest one. */
export const uiFinishReasons: { readonly [reason in FinishReason]: UIFinishReason } = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  refusal: 'content-filter',
  pause: 'other',
  error: 'error',
  aborted: 'other',
  other: 'other',
}

/** The keys under which the SDK's own providers read their signatures. */
export const signatureKeys: { readonly [vendor: string]: (part: AssistantPart) => string | undefined } = {
  anthropic: (part) =>
    part.type !== 'reasoning' ? undefined : part.redacted === true ? 'redactedData' : 'signature',
  openai: (part) => (part.type === 'reasoning' ? 'reasoningEncryptedContent' : undefined),
  google: () => 'thoughtSignature',
}

/** Builds the provider metadata of a part: its signature, and the fields that the protocol lacks. */
export function buildProviderMetadata(
  part: AssistantPart,
  path: Path,
  report: LossReporter,
): { readonly providerMetadata?: ProviderMetadata } {
  const metadata: ProviderMetadata = {}
  const own = buildOwnMetadata(part)
  if (part.signature !== undefined) {
    const { vendor, value } = part.signature
    const key = Object.hasOwn(signatureKeys, vendor) ? signatureKeys[vendor]?.(part) : undefined
    if (!isSignatureValid(part)) report.add('stale-signature', path)
    else if (key === undefined) own['signature'] = { vendor, value }
    else metadata[vendor] = { [key]: value }
  }
  if (!isEmptyObject(own)) metadata['interlingua'] = own
  return isEmptyObject(metadata) ? {} : { providerMetadata: metadata }
}

function buildOwnMetadata(part: AssistantPart): ProviderMetadata[string] {
  if (part.type === 'refusal') return { refusal: true }
  if (part.type === 'reasoning')
    return { ...(part.summary && { summary: true }), ...(part.redacted && { redacted: true }) }
  return 'source' in part ? { ...pickMediaDetails(part) } : {}
}
