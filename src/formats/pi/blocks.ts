import { attachSignature } from '../../canonical/build/parts.ts'
import type { ImagePart, Part, ReasoningPart, TextPart, ToolCallPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { throwWrongType } from '../../canonical/shape/shape.ts'
import { applyResidue, attachResidue } from '../../dialects/engine/residue-slots.ts'
import { type Json, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { writeOpaquePart } from '../engine/omitted-fields.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import { keepPart } from '../engine/keep-unknown-values.ts'
import { readOptionalText, requireObject, requireText } from '../engine/require-fields.ts'
import { NAME, PI_SLOT } from './constants.ts'

/** The keys of signatures by the type of a block, for the APIs whose signatures are the tokens of their vendor. */
const SIGNATURE_KEYS: { readonly [vendor: string]: { readonly [type: string]: string } } = {
  anthropic: { reasoning: 'thinkingSignature' },
  google: { text: 'textSignature', reasoning: 'thinkingSignature', 'tool-call': 'thoughtSignature' },
}

/** Returns the key of the signature of a part; undefined if the vendor has no signatures on such parts. */
function getSignatureKey(vendor: string | undefined, type: Part['type']): string | undefined {
  return vendor !== undefined && Object.hasOwn(SIGNATURE_KEYS, vendor)
    ? SIGNATURE_KEYS[vendor]?.[type]
    : undefined
}

/** Reads content: a text, or a list of blocks. */
export function readContent(
  content: Json | undefined,
  vendor: string | undefined,
  path: Path,
): readonly Part[] {
  if (typeof content === 'string')
    return content === '' ? [] : [checkAndFreezePart({ type: 'text', text: content } as const, path)]
  if (!Array.isArray(content)) return throwWrongType(content, path, 'a text or a list of blocks')
  return content.map((block: Json, index) => readBlock(block, vendor, child(path, index)))
}

function readBlock(wire: Json, vendor: string | undefined, path: Path): Part {
  const block = requireObject(wire, path, 'a block')
  const part = readFields(block, path)
  if (part === undefined) return keepPart(NAME, block, path)
  const checked = checkAndFreezePart<Part>(part, path)
  const key = getSignatureKey(vendor, part.type)
  const value = key === undefined ? undefined : block[key]
  const signed =
    typeof value === 'string' && vendor !== undefined ? attachSignature(checked, { vendor, value }) : checked
  return attachResidue(signed, PI_SLOT, {}, block, (unit) =>
    writeBlock(unit, vendor, undefined, silentReporter),
  )
}

function readFields(
  block: JsonObject,
  path: Path,
): TextPart | ReasoningPart | ImagePart | ToolCallPart | undefined {
  switch (readStringOrEmpty(block['type'])) {
    case 'text':
      return { type: 'text', text: requireText(block, 'text', path) }
    case 'thinking':
      return {
        type: 'reasoning',
        text: requireText(block, 'thinking', path),
        ...(block['redacted'] === true && { redacted: true as const }),
      }
    case 'image': {
      const data = requireText(block, 'data', path)
      return {
        type: 'image',
        source: { kind: 'base64', data, mediaType: requireText(block, 'mimeType', path) },
      }
    }
    case 'toolCall': {
      const failure = readOptionalText(block, 'argumentsError', path)
      const given = requireObject(block['arguments'], child(path, 'arguments'), 'the arguments of a call')
      return {
        type: 'tool-call',
        id: requireText(block, 'id', path),
        name: requireText(block, 'name', path),
        ...(failure === undefined ? { arguments: given } : { invalidArguments: failure }),
      }
    }
  }
  return undefined
}

/** Writes a part as a block; undefined for a part that has none. `vendor` is that of the API of an answer. */
export function writeBlock(
  part: Part,
  vendor: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  const block = writeFields(part, path, report)
  if (block === undefined || part.type === 'opaque') return block
  return applyResidue({ ...block, ...writeSignature(part, vendor, path, report) }, part, PI_SLOT)
}

function writeSignature(
  part: Part,
  vendor: string | undefined,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject {
  if (part.signature === undefined) return {}
  const key = getSignatureKey(part.signature.vendor, part.type)
  const isValid = isSignatureValid(part)
  if (isValid && key !== undefined && part.signature.vendor === vendor) return { [key]: part.signature.value }
  report.add(isValid ? 'signature-dropped' : 'stale-signature', child(path, 'signature'))
  return {}
}

function writeFields(part: Part, path: Path | undefined, report: FormatReporter): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'refusal':
      report.add('refusal-as-text', path)
      return { type: 'text', text: part.text }
    case 'json':
      report.add('json-as-text', path)
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'reasoning':
      return { type: 'thinking', thinking: part.text, ...(part.redacted && { redacted: true }) }
    case 'tool-call': {
      const { id, name, invalidArguments } = part
      const failure = invalidArguments === undefined ? {} : { argumentsError: invalidArguments }
      return { type: 'toolCall', id, name, arguments: part.arguments ?? {}, ...failure }
    }
    case 'opaque':
      return writeOpaquePart(part, NAME, path, report)
    case 'image': {
      const { source, name } = part
      if (source.kind !== 'base64') break
      if (name !== undefined) report.add('media-detail', child(path, 'name'))
      return { type: 'image', data: source.data, mimeType: source.mediaType }
    }
    case 'audio':
    case 'video':
    case 'file':
      break
    case 'tool-result':
      return undefined
  }
  report.add('dropped-media', path)
  return undefined
}
