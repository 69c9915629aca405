import type { PartUpdateEvent } from '../../canonical/model/event.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { addHints, applyResidue, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, vendorsByReasoningFormat } from './constants.ts'
import {
  encodeReasoningDetail,
  getReasoningOriginField,
  decodeReasoningDetail,
  readReasoningTextField,
  reasoningTextFields,
} from './reasoning.ts'

export interface ReasoningPiece {
  /** The key of its part: adjacent pieces with the same key form one part. */
  readonly key: string
  /** The part that the piece opens if none with its key is open. */
  readonly part: ReasoningPart
  readonly text: string
  readonly signature?: PartUpdateEvent['signature']
}

/** Decodes reasoning from the field that the host uses. A text that several fields repeat is read once. */
export function decodeReasoningPieces(delta: JsonObject): readonly ReasoningPiece[] {
  const details = itemsOf(delta['reasoning_details'])
  const pieces = details.length === 0 ? [] : details.map((each) => readPiece(each, delta))
  if (pieces.length > 0 && pieces.every((piece) => piece !== undefined)) return pieces
  const { field, text } = readReasoningTextField(delta)
  if (text === '') return []
  return [{ key: field, part: addFieldHints({ type: 'reasoning', text: '' }, field), text }]
}

/** Decodes one of `reasoning_details`. Details of different types may share an index. */
function readPiece(wire: Json, delta: JsonObject): ReasoningPiece | undefined {
  if (!isObject(wire)) return undefined
  const { type, text, summary, signature, data: _data, ...others } = wire
  const detail = decodeReasoningDetail({ text: '', summary: '', ...wire, signature: null })
  if (detail === undefined) return undefined
  const textValue = detail.summary ? summary : text
  const pieceText = typeof textValue === 'string' && !detail.redacted ? textValue : ''
  const repeated = reasoningTextFields.filter((field) => pieceText !== '' && delta[field] === pieceText)
  const vendor = vendorsByReasoningFormat.get(others['format']) ?? 'unknown'
  const part = detail.redacted ? detail : { ...detail, text: '' }
  const hasSignature = type === 'reasoning.text' && typeof signature === 'string' && signature !== ''
  return {
    key: JSON.stringify([type, others['index'] ?? null, detail.signature?.value ?? null]),
    part: addFieldHints(part, 'reasoning_details', repeated, others),
    text: pieceText,
    ...(hasSignature && { signature: { vendor, value: signature } }),
  }
}

function addFieldHints(
  part: ReasoningPart,
  field: string,
  repeated: readonly string[] = [],
  others: JsonObject = {},
): ReasoningPart {
  const hints = { reasoningField: field, ...(repeated.length > 0 && { repeatedInFields: repeated }) }
  return addHints({ ...part, extra: { [DIALECT_SLOT]: others } }, DIALECT_SLOT, hints)
}

/** Encodes the delta that opens reasoning. Redacted reasoning is complete when it opens. */
export function encodeReasoningStart(part: ReasoningPart): JsonObject {
  return part.redacted && getReasoningOriginField(part) === 'reasoning_details'
    ? { reasoning_details: [encodeReasoningDetail(part)] }
    : {}
}

/** Encodes the delta that contains a signature. */
export function encodeSignatureDelta(part: ReasoningPart, signature: string): JsonObject {
  if (getReasoningOriginField(part) !== 'reasoning_details') return {}
  return { reasoning_details: [applyResidue({ type: 'reasoning.text', signature }, part, DIALECT_SLOT)] }
}

/** Encodes reasoning text in the field from which it was read, and in the fields that repeated it. */
export function encodeReasoningDelta(part: ReasoningPart, text: string): JsonObject {
  const field = getReasoningOriginField(part)
  const { repeatedInFields: repeated } = getHints(part, DIALECT_SLOT)
  const repetitions: readonly unknown[] = Array.isArray(repeated) ? repeated : []
  const fields = reasoningTextFields.filter((each) => each === field || repetitions.includes(each))
  const texts = Object.fromEntries(fields.map((each) => [each, text]))
  if (field !== 'reasoning_details') return texts
  const { signature: _signature, ...unsigned } = part
  return { ...texts, reasoning_details: [encodeReasoningDetail({ ...unsigned, text })] }
}
