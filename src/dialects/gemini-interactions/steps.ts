import type { AssistantPart, ReasoningPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { createFallback } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getHints } from '../engine/residue-slots.ts'
import { PLACEHOLDER_SIGNATURE } from '../shared/google-common.ts'
import type { PartWithPath } from '../shared/item-reasoning.ts'
import { createOpaquePart } from '../shared/opaque-content.ts'
import {
  decodeModelOutput,
  encodeModelOutput,
  isOutputPart,
  type PartInModelOutput,
  startsOutput,
} from './assistant-message.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'
import {
  decodeProviderStep,
  encodeProviderCall,
  encodeProviderResult,
  getHostedStepType,
} from './provider-tools.ts'
import type { BodyKind } from '../engine/unsupported-policy.ts'
import { decodeReasoning, encodeReasoning, thoughtCodec } from './reasoning.ts'
import { decodeToolCall, encodeToolCall } from './tool-calls.ts'
import { decodeToolResult, encodeToolResult, FUNCTION_RESULT } from './tool-results.ts'

/** Decodes the steps of one turn of the model one by one. */
export class StepDecoder {
  /** The hints of the first call of the turn; undefined after a thought or a call. */
  #thoughtHints: GeminiInteractionsHints | undefined
  #previousType: Json | undefined

  constructor(hasPlaceholder = false) {
    this.#thoughtHints = hasPlaceholder ? { placeholderThought: true } : { missingThought: true }
  }

  /** Decodes the next step; an unknown one is kept as an opaque part. */
  decode(step: Json): readonly AssistantPart[] {
    const type = isObject(step) ? step['type'] : undefined
    const parts = isObject(step) ? this.#read(step) : undefined
    // Only the first call of a turn needs a thought before it.
    if (type === 'thought' || type === 'function_call') this.#thoughtHints = undefined
    this.#previousType = type
    return parts?.map((part) => freezeOwned(part)) ?? [createOpaquePart(DIALECT_SLOT, step)]
  }

  #read(step: JsonObject): readonly AssistantPart[] | undefined {
    const { type } = step
    if (type === 'model_output') return decodeModelOutput(step, this.#previousType === type)
    if (type === 'thought') return decodeReasoning(step)
    const part =
      type === 'function_call'
        ? decodeToolCall(step, this.#thoughtHints ?? {})
        : type === FUNCTION_RESULT
          ? decodeToolResult(step, true)
          : decodeProviderStep(step)
    return part && [part]
  }
}

/** Decodes the steps of one turn of the model. The placeholder before calls in a request is a hint, not a thought. */
export function decodeSteps(steps: readonly Json[], bodyKind: BodyKind): readonly AssistantPart[] {
  const [first, ...others] = steps
  const next = others.find((step) => isThoughtOrCall(step))
  const hasPlaceholder =
    bodyKind === 'request' &&
    isEqualJson(first, placeholderStep) &&
    isObject(next) &&
    next['type'] === 'function_call'
  const decoder = new StepDecoder(hasPlaceholder)
  const decoded = (hasPlaceholder ? others : steps).map((step) => decoder.decode(step))
  const isKept = hasPlaceholder && !decoded.flat().some(hasPlaceholderHint)
  return isKept ? decodeSteps(steps, 'response') : decoded.flat()
}

const placeholderStep: JsonObject = { type: 'thought', signature: PLACEHOLDER_SIGNATURE }

function isThoughtOrCall(step: Json | undefined): boolean {
  return isObject(step) && (step['type'] === 'thought' || step['type'] === 'function_call')
}

function hasPlaceholderHint(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['placeholderThought'] === true
}

/** Returns parts with their paths; `path` is the path of the list of parts. */
export function addPaths(
  parts: readonly AssistantPart[],
  path: Path | undefined,
): readonly PartWithPath<AssistantPart>[] {
  return parts.map((part, index) => ({ part, path: child(path, index) }))
}

/** The parts of one step. */
type StepParts = [PartWithPath<AssistantPart>, ...PartWithPath<AssistantPart>[]]

/** Encodes the parts of one turn of the model as steps. */
export function encodeSteps(
  parts: readonly PartWithPath<AssistantPart>[],
  bodyKind: BodyKind,
  context: EncodeContext,
): readonly JsonObject[] {
  const groups: StepParts[] = []
  for (const { part: original, path } of parts) {
    const part = convertPart(original, path, bodyKind, context)
    if (part === undefined) continue
    const group = groups.at(-1)
    if (group !== undefined && isSameStep(part, group[0].part)) group.push({ part, path })
    else groups.push([{ part, path }])
  }
  const steps: JsonObject[] = []
  let isThoughtMissing = bodyKind === 'request'
  for (const group of groups) {
    const [{ part, path: partPath }] = group
    const step = encodeGroup(group, context)
    if (step === undefined) continue
    if (isThoughtMissing && isApplicationCall(part) && needsThought(part, context)) {
      if (!hasPlaceholderHint(part)) context.report('signature-placeholder', child(partPath, 'signature'))
      steps.unshift(placeholderStep)
    }
    if (isThoughtOrCall(step)) isThoughtMissing = false
    steps.push(step)
  }
  return steps
}

/** Returns true if a thought must precede the first call of a turn: not for one that was received without it. */
function needsThought(call: AssistantPart, { facts }: EncodeContext): boolean {
  if (hasPlaceholderHint(call)) return true
  return facts.requiresCallSignatures ?? getHints(call, DIALECT_SLOT)['missingThought'] !== true
}

/** Returns the part that is written for a part; undefined if it is omitted. */
function convertPart(
  part: AssistantPart,
  path: Path | undefined,
  bodyKind: BodyKind,
  context: EncodeContext,
): AssistantPart | undefined {
  if (part.type === 'reasoning' && bodyKind === 'response' && thoughtCodec.isShown(part, context))
    return thoughtCodec.toSummary(part, path, context)
  if (!isUnsupportedPart(part)) return part
  const fallback = createFallback(part, path, context)
  return fallback?.type === 'reasoning' ? convertPart(fallback, path, bodyKind, context) : fallback
}

/** Returns whether the dialect has no step for a part, which is then described as text or omitted. */
function isUnsupportedPart(part: AssistantPart): boolean {
  if (part.type === 'reasoning') return !thoughtCodec.isOwn(part)
  if (part.type === 'opaque') return part.dialect !== DIALECT_SLOT
  if (part.type === 'tool-call') return !isApplicationCall(part) && getHostedStepType(part) === undefined
  if (part.type === 'tool-result') return getHostedStepType(part) === undefined && !isFunctionResult(part)
  return false
}

/** Returns true for the result of a function that was received within a turn of the model. */
function isFunctionResult(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['wireType'] === FUNCTION_RESULT
}

function isSameStep(part: AssistantPart, first: AssistantPart): boolean {
  if (first.type === 'reasoning')
    return part.type === 'reasoning' && getHints(part, DIALECT_SLOT)['continuesItem'] === true
  return isOutputPart(first) && isOutputPart(part) && !startsOutput(part)
}

function encodeGroup(group: StepParts, context: EncodeContext): JsonObject | undefined {
  const [{ part, path }] = group
  if (part.type === 'reasoning')
    return encodeReasoning(group as readonly PartWithPath<ReasoningPart>[], context)
  if (part.type === 'tool-call')
    return isApplicationCall(part)
      ? encodeToolCall(part, path, context)
      : encodeProviderCall(part, path, context)
  if (part.type === 'tool-result')
    return getHostedStepType(part) === undefined
      ? encodeToolResult(part, undefined, path, context)
      : encodeProviderResult(part, path, context)
  // An opaque value that is not an object is sent back unchanged, too.
  const isContent: boolean = isOutputPart(part)
  if (part.type === 'opaque' && !isContent) return part.value as JsonObject
  return encodeModelOutput(group as readonly PartWithPath<PartInModelOutput>[], context)
}
