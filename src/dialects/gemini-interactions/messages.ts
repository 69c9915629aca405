import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, UserMessage } from '../../canonical/model/message.ts'
import type { ToolPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { keepsLaterSystem } from '../engine/content-fallback.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { addHints, applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { createOpaqueMessage, createOpaquePart, getOpaqueMessage } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { GeminiInteractionsHints } from './hints.ts'
import { isContentType } from './media.ts'
import { type ContentPart, decodeContent, encodeContent, encodeContents } from './parts.ts'
import { addPaths, decodeSteps, encodeSteps } from './steps.ts'
import { decodeToolResult, encodeToolResult, FUNCTION_RESULT } from './tool-results.ts'
import { createUsualMessage } from '../shared/usual-parts.ts'
import { decodeUsualUserStep } from './usual-form-decoder.ts'

/** Decodes the `system_instruction` field. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire !== 'string' || wire === '') return []
  const id = generateId('msg', options)
  return [freezeOwned<Message>({ id, role: 'system', content: [{ type: 'text', text: wire }] })]
}

/** Returns the steps of an input, and the hint for an input in another form. */
export function toSteps(input: Json | undefined): {
  readonly steps: readonly Json[]
  readonly hints: GeminiInteractionsHints
} {
  const toUserStep = (content: Json, inputForm: string): ReturnType<typeof toSteps> => ({
    steps: [{ type: 'user_input', content }],
    hints: { inputForm },
  })
  if (typeof input === 'string' && input !== '') return toUserStep([{ type: 'text', text: input }], 'string')
  if (isObject(input) && isContent(input)) return toUserStep([input], 'content')
  const isContentList = isList(input) && input.length > 0 && input.every(isContent)
  return isContentList ? toUserStep(input, 'contents') : { steps: itemsOf(input), hints: {} }
}

function isContent(wire: Json): boolean {
  return isObject(wire) && isContentType(wire['type'])
}

/** Returns the input in the form that it was received in, if it still is a single step of the user with such content. */
export function restoreInputForm(
  input: Json | undefined,
  { inputForm }: GeminiInteractionsHints,
): Json | undefined {
  const [step, ...others] = itemsOf(input)
  if (inputForm === undefined || !isObject(step) || others.length > 0) return input
  const { type, content, ...rest } = step
  if (type !== 'user_input' || !isList(content) || Object.keys(rest).length > 0) return input
  if (!content.every(isContent) || content.length === 0) return input
  if (inputForm === 'contents') return content
  const [only, ...more] = content
  if (!isObject(only) || more.length > 0) return content
  const isPlainText = only['type'] === 'text' && Object.keys(only).length === 2
  return inputForm === 'string' && isPlainText ? (only['text'] ?? null) : only
}

type StepRole = 'user' | 'model' | 'application'

function getStepRole(step: Json): StepRole {
  const type = isObject(step) ? step['type'] : undefined
  if (typeof type !== 'string' || type === 'user_input' || isContentType(type)) return 'user'
  return type === FUNCTION_RESULT ? 'application' : 'model'
}

/**
 * Decodes the steps of a conversation: consecutive steps of the model are one assistant message, consecutive results of
 * functions one tool message.
 */
export function decodeMessages(steps: readonly Json[], options: DecodeOptions): readonly Message[] {
  const messages: Message[] = []
  let turn: Json[] = []
  let turnRole: StepRole | undefined
  const flushTurn = (): void => {
    if (turn.length > 0 && turnRole === 'model')
      messages.push(decodeTurn(turn, messages.length === 0, options))
    else pushAll(messages, decodeResults(turn, options))
    turn = []
  }
  for (const step of steps) {
    const role = getStepRole(step)
    if (role !== turnRole) flushTurn()
    turnRole = role
    if (role === 'user') messages.push(decodeUserStep(step, options))
    else turn.push(step)
  }
  flushTurn()
  return messages
}

function decodeTurn(turn: readonly Json[], isFirst: boolean, options: DecodeOptions): Message {
  const message: Message = {
    id: generateId('msg', options),
    role: 'assistant',
    content: decodeSteps(turn, 'request'),
  }
  return freezeOwned(isFirst ? addHints(message, DIALECT_SLOT, { assistantFirst: true }) : message)
}

function decodeResults(turn: readonly Json[], options: DecodeOptions): readonly Message[] {
  const contents: ToolPart[][] = []
  for (const step of turn) {
    const part: ToolPart =
      (isObject(step) ? decodeToolResult(step) : undefined) ?? createOpaquePart(DIALECT_SLOT, step)
    // An opaque step has a message of its own because tool results may be moved.
    if (contents.at(-1)?.[0]?.type === part.type) contents.at(-1)?.push(part)
    else contents.push([part])
  }
  return contents.map((content) => createUsualMessage('tool', content, options))
}

function decodeUserStep(wire: Json, options: DecodeOptions): Message {
  const usual = decodeUsualUserStep(wire, options)
  if (usual !== undefined) return usual
  const { type, content = [] }: JsonObject = isObject(wire) ? wire : {}
  if (!isObject(wire) || type !== 'user_input' || !isList(content))
    return createOpaqueMessage(DIALECT_SLOT, 'user', wire, options)
  const parts = content.map(decodeContent)
  const message: UserMessage = { id: generateId('msg', options), role: 'user', content: parts }
  return attachResidue(
    message,
    DIALECT_SLOT,
    parts.length === 0 ? { emptyContent: true } : {},
    wire,
    encodeUserStep,
  )
}

/** Encodes a message: as no step if it is empty. The names of its calls are added to `callNames` for their results. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  callNames: Map<string, string> = new Map(),
): readonly JsonObject[] {
  const opaque = getOpaqueMessage(message, DIALECT_SLOT)
  if (opaque !== undefined) return [opaque]
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  const contentPath = child(path, 'content')
  let steps: readonly JsonObject[]
  if (message.role === 'assistant') {
    recordCallNames(message, callNames)
    steps = encodeSteps(addPaths(message.content, contentPath), 'request', context)
  } else if (message.role === 'tool') {
    steps = encodeResults(message.content, callNames, contentPath, context)
  } else {
    const made =
      message.role === 'user'
        ? encodeUserStep(message, path, context)
        : encodeLaterSystem(message, path, context)
    steps = made === undefined ? [] : [made]
  }
  if (steps.length === 0) context.report('empty-message', path)
  return steps
}

/** Records the names of the calls of a message, for their results. */
export function recordCallNames({ role, content }: Message, callNames: Map<string, string>): void {
  if (role !== 'assistant') return
  for (const part of content) if (part.type === 'tool-call') callNames.set(part.id, part.name)
}

function encodeResults(
  parts: readonly ToolPart[],
  callNames: ReadonlyMap<string, string>,
  path: Path,
  context: EncodeContext,
): readonly JsonObject[] {
  const steps: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const partPath = child(path, index)
    if (part.type === 'tool-result')
      steps.push(encodeToolResult(part, callNames.get(part.callId), partPath, context))
    else if (part.dialect === DIALECT_SLOT) steps.push(part.value as JsonObject)
    else context.report('foreign-opaque', partPath)
  }
  return steps
}

function encodeUserStep(
  message: UserMessage,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const content = encodeContents(message.content, child(path, 'content'), context)
  if (content.length === 0 && getHints(message, DIALECT_SLOT)['emptyContent'] !== true) return undefined
  return applyResidue({ type: 'user_input', content }, message, DIALECT_SLOT)
}

/** Encodes a system message that follows other messages as marked text of the user, unless it is omitted. */
function encodeLaterSystem(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  const texts = encodeSystemTexts(message, path, context)
  if (texts.length === 0 || !keepsLaterSystem(path, context)) return undefined
  const content = texts.map((text) => ({ type: 'text', text: `<system>\n${text}\n</system>` }))
  return { type: 'user_input', content }
}

/** Returns the texts of a system message; reports everything else. */
export function encodeSystemTexts(
  { role, content }: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly string[] {
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  return (content as readonly ContentPart[]).flatMap((part, index) => {
    const partPath = child(child(path, 'content'), index)
    const made = encodeContent(part, partPath, context)
    if (made === undefined) return []
    const { text, annotations } = made
    if (annotations !== undefined) context.report('citations-dropped', child(partPath, 'citations'))
    if (typeof text === 'string') return [text]
    context.report('foreign-opaque', partPath)
    return []
  })
}
