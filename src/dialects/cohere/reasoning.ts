import type { ReasoningPart } from '../../canonical/model/part.ts'
import { freezeCopy } from '../../wire/frozen-json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { isShownAsReasoning } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { applyResidue, createHintExtra, getHints, withResidue } from '../engine/residue-slots.ts'
import { bindContent } from '../engine/content-bound-keys.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { CITATION_SLOT, DIALECT_SLOT } from './constants.ts'

/** The place of reasoning in a message. */
type ReasoningForm = 'thinkingBlock' | 'toolPlan'

/** The residue of each form, which all of its parts share. */
const formExtras = {
  toolPlan: freezeCopy(createHintExtra(DIALECT_SLOT, { toolPlan: true })),
  thinkingBlock: freezeCopy(createHintExtra(DIALECT_SLOT, { thinkingBlock: true })),
}

/** Creates reasoning that marks its form. */
export function createReasoning(form: ReasoningForm, text: string): ReasoningPart {
  return { type: 'reasoning', text, extra: formExtras[form] }
}

/** Returns the thinking block of a text. */
export function createThinkingBlock(text: string): JsonObject {
  return { type: 'thinking', thinking: text }
}

/** Returns true for a thinking block. */
export function isThinkingBlock(wire: Json | undefined): wire is JsonObject & { readonly thinking: string } {
  return isObject(wire) && wire['type'] === 'thinking' && typeof wire['thinking'] === 'string'
}

/** Decodes a thinking block, with the citations that refer to it. They are valid only for its text. */
export function decodeReasoning(
  wire: JsonObject & { readonly thinking: string },
  citations: readonly JsonObject[],
): ReasoningPart {
  const part = createReasoning('thinkingBlock', wire.thinking)
  return bindCitations(
    withResidue(part, DIALECT_SLOT, createThinkingBlock(wire.thinking), wire, { thinkingBlock: true }),
    citations,
  )
}

/** Decodes the tool plan: what the model wrote before its calls. */
export function decodeToolPlan(text: string, citations: readonly JsonObject[]): ReasoningPart {
  return bindCitations(createReasoning('toolPlan', text), citations)
}

/** Returns true for reasoning that is sent as such: of this format, or as the policy allows. */
export function isSentAsReasoning(part: ReasoningPart, context: EncodeContext): boolean {
  const { thinkingBlock, toolPlan } = getHints(part, DIALECT_SLOT)
  if (thinkingBlock === true || toolPlan === true) return true
  return isShownAsReasoning(part, context)
}

/** Returns true for reasoning that was the tool plan. */
export function isToolPlan(part: ReasoningPart): boolean {
  return getHints(part, DIALECT_SLOT).toolPlan === true
}

/** Encodes reasoning as a thinking block. */
export function encodeThinking(
  part: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  reportReasoningFields(part, path, context)
  return isToolPlan(part)
    ? createThinkingBlock(part.text)
    : applyResidue(createThinkingBlock(part.text), part, DIALECT_SLOT)
}

/** Reports the fields of reasoning that the format lacks. */
export function reportReasoningFields(
  part: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): void {
  reportUnsupportedFields(part, path, context)
}

/** Returns the citations of reasoning as they were received, if its text is unchanged. */
export function listReasoningCitations(
  part: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): readonly Json[] {
  const bound = bindContent(part.text, CITATION_SLOT, path, context, { citations: 'citations-dropped' })
  return itemsOf(applyResidue<JsonObject>({}, part, CITATION_SLOT, bound)['citations'])
}

function bindCitations(part: ReasoningPart, citations: readonly JsonObject[]): ReasoningPart {
  if (citations.length === 0) return part
  return withResidue(part, CITATION_SLOT, {}, { citations }, undefined, undefined, {
    keys: ['citations'],
    content: part.text,
  })
}
