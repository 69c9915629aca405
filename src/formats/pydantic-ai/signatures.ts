import { attachSignature } from '../../canonical/build/parts.ts'
import type { Part, ReasoningPart, Signature } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'

/** The vendor of the signatures by the name of a provider of pydantic-ai; other providers are their own vendor. */
const VENDORS: { readonly [provider: string]: string } = {
  bedrock: 'anthropic',
  'google-gla': 'google',
  'google-vertex': 'google',
  'google-cloud': 'google',
}

/** Signs a part with `signature`, or with the thought signature of Gemini in the details of the provider. */
export function addSignature<T extends Part>(
  part: T,
  wire: JsonObject,
  provider: Json | undefined = wire['provider_name'],
): T {
  const { signature, provider_details: details } = wire
  const thought = isObject(details) ? details['thought_signature'] : undefined
  if (part.type === 'reasoning' && typeof signature === 'string' && typeof provider === 'string') {
    const vendor = Object.hasOwn(VENDORS, provider) ? (VENDORS[provider] as string) : provider
    return attachSignature(part, { vendor, value: signature })
  }
  return part.type !== 'reasoning' && typeof thought === 'string'
    ? attachSignature(part, { vendor: 'google', value: thought })
    : part
}

/** Writes the signature of reasoning and its vendor. */
export function writeReasoningSignature(
  part: ReasoningPart,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  const signature = readValidSignature(part, path, report)
  return signature === undefined ? {} : { signature: signature.value, provider_name: signature.vendor }
}

/** Writes the signature of a text or a call, which only Gemini has. */
export function writeGoogleSignature(part: Part, path: Path | undefined, report: FormatReporter): JsonObject {
  const signature = readValidSignature(part, path, report)
  if (signature === undefined) return {}
  if (signature.vendor === 'google') return { provider_details: { thought_signature: signature.value } }
  report.add('signature-dropped', child(path, 'signature'))
  return {}
}

function readValidSignature(
  part: Part,
  path: Path | undefined,
  report: FormatReporter,
): Signature | undefined {
  if (part.signature === undefined || isSignatureValid(part)) return part.signature
  report.add('stale-signature', child(path, 'signature'))
  return undefined
}
