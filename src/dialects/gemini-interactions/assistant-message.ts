import type {
  AssistantPart,
  MediaPart,
  OpaquePart,
  RefusalPart,
  TextPart,
} from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isList, isObject, type JsonObject } from '../../wire/json.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { addHints, applyResidue, getHints, withResidue } from '../engine/residue-slots.ts'
import type { PartWithPath } from '../shared/item-reasoning.ts'
import { DIALECT_SLOT } from './constants.ts'
import { decodeContent, encodeContent, writeContent } from './parts.ts'
import { decodeUsualTexts } from './usual-form-decoder.ts'

/** A part that is a content of a `model_output` step. */
export type PartInModelOutput = TextPart | MediaPart | RefusalPart | OpaquePart

/** The key under which the first part of a step keeps the other fields of the step in its residue. */
const STEP_KEY = '$step'

const stepBase: JsonObject = { type: 'model_output' }

/** Decodes a `model_output` step; `isAfterOutput` is true if the step before it is one, too. */
export function decodeModelOutput(
  wire: JsonObject,
  isAfterOutput: boolean,
): readonly AssistantPart[] | undefined {
  const usual = isAfterOutput ? undefined : decodeUsualTexts(wire)
  if (usual !== undefined) return usual
  const { content, ...step } = wire
  if (!isList(content) || content.length === 0) return undefined
  if (content.some((each) => isObject(each) && Object.hasOwn(each, STEP_KEY))) return undefined
  return content.map((each, index) => {
    const part = decodeContent(each)
    const marked = part.type === 'opaque' ? addHints(part, DIALECT_SLOT, { isContent: true }) : part
    const hasStepFields = !isEqualJson(step, stepBase)
    if (index > 0 || !(isAfterOutput || hasStepFields)) return freezeOwned(marked)
    const first = addHints(marked, DIALECT_SLOT, { startsItem: 'model_output' })
    return freezeOwned(hasStepFields ? attachStepFields(first, each, step) : first)
  })
}

/** Returns the first part of a step with the fields of the step in its residue. */
function attachStepFields(part: PartInModelOutput, wire: unknown, step: JsonObject): PartInModelOutput {
  const isKnown = part.type !== 'opaque' && isObject(wire)
  const made = {
    ...(isKnown && writeContent(part, undefined, noReport)),
    [STEP_KEY]: stepBase,
  }
  const received = { ...(isKnown && (wire as JsonObject)), [STEP_KEY]: step }
  const hints = getHints(part, DIALECT_SLOT)
  return withResidue(part, DIALECT_SLOT, made, received, hints as JsonObject as never)
}

/** Returns true for a part that is a content of a `model_output` step. */
export function isOutputPart(part: AssistantPart): part is PartInModelOutput {
  if (part.type === 'opaque') return getHints(part, DIALECT_SLOT)['isContent'] === true
  return part.type === 'text' || part.type === 'refusal' || isMediaPart(part)
}

/** Returns true if a part is the first of a `model_output` step of its own. */
export function startsOutput(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['startsItem'] === 'model_output'
}

/** Encodes a `model_output` step with its parts; returns undefined if nothing is left to send. */
export function encodeModelOutput(
  parts: readonly PartWithPath<PartInModelOutput>[],
  context: EncodeContext,
): JsonObject | undefined {
  let step: JsonObject = stepBase
  const content = parts.flatMap(({ part, path }) => {
    const made = encodeContent(part, path, context)
    if (made === undefined) return []
    if (!startsOutput(part)) return [made]
    const unit = part.type === 'opaque' ? {} : made
    const patched = applyResidue({ ...unit, [STEP_KEY]: stepBase }, part, DIALECT_SLOT)
    const { [STEP_KEY]: fields, ...rest } = patched
    if (isObject(fields)) step = fields
    return [part.type === 'opaque' ? made : rest]
  })
  return content.length === 0 ? undefined : { ...step, content }
}
