import type { Cost } from '../canonical/model/model-interface.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../canonical/model/part.ts'
import { assistantFields, messageShape, messageShapes, usageShape } from '../canonical/shape/message.ts'
import { objectShape, optionalField, requiredField } from '../canonical/shape/object.ts'
import { partShapes } from '../canonical/shape/part.ts'
import {
  recordShape,
  identifierShape,
  jsonObjectShape,
  listShape,
  numberShape,
  refinedShape,
  throwInvalid,
  type Shape,
  stringShape,
  enumShape,
} from '../canonical/shape/shape.ts'
import { readStrictly } from '../canonical/shape/strict-reader.ts'
import type { JsonObject } from '../wire/json.ts'
import type { Step } from './step.ts'

/** A call that waits for the caller. */
export interface PendingCall {
  /** The call, without `extra` and signature: it is there to be shown. */
  readonly call: ToolCallPart
  /** `approval`: may it run? `execution`: the caller runs it and gives the output. */
  readonly waitsFor: 'approval' | 'execution'
  /** The id of the call of an agent as a tool, inside of which this one waits; its own id then begins with that one. */
  readonly parentCallId?: string
}

/** What an agent inside of a tool left open: the call that it works for waits with it. */
export interface NestedRun {
  readonly run: PausedRun
  /** What was said in it so far. */
  readonly messages: readonly Message[]
  /** How often it has been left open. */
  readonly pauseCount: number
}

/**
 * A run that waits for decisions: plain JSON, so it can be stored and resumed elsewhere. It holds the round that is open,
 * which is in no result's `messages` yet. Keep it where users cannot change it: what it says to run will be run.
 */
export interface PausedRun {
  readonly version: 1
  /** The id of the run. */
  readonly id: string
  /** The answer whose calls are open. */
  readonly message: AssistantMessage
  /** The results of those calls that are finished: these are never run again. */
  readonly results: readonly ToolResultPart[]
  readonly pending: readonly PendingCall[]
  /** What agents inside of tools left open, by the id of the call that they work for. */
  readonly nestedRuns?: { readonly [callId: string]: NestedRun }
  readonly steps: readonly Step[]
  /** How often each tool ran. */
  readonly toolUses: { readonly [tool: string]: number }
  /** Notes of the orchestrator. */
  readonly orchestratorData: JsonObject
  /** Milliseconds that the run took so far, the waiting not counted. */
  readonly elapsedMs: number
}

const assistantShape = messageShapes.assistant as Shape<AssistantMessage>
const resultShape = partShapes['tool-result'] as Shape<ToolResultPart>
const callShape = partShapes['tool-call'] as Shape<ToolCallPart>

const costShape: Shape<Cost> = objectShape<Cost>('Cost', {
  amount: requiredField(numberShape, 'How much.'),
  currency: requiredField(stringShape, 'In which currency.'),
  asOf: requiredField(stringShape, 'The date of the prices.'),
})

const stepShape: Shape<Step> = objectShape<Step>('Step', {
  provider: requiredField(stringShape, 'Who answered.'),
  model: requiredField(stringShape, 'Which model answered.'),
  usage: optionalField(usageShape, 'Its tokens.'),
  cost: optionalField(costShape, 'Its price.'),
  finish: assistantFields.finish,
  tool: optionalField(stringShape, 'The tool inside of which an agent made it.'),
})

const pendingShape: Shape<PendingCall> = objectShape<PendingCall>('PendingCall', {
  call: requiredField(callShape, 'The call.'),
  waitsFor: requiredField(enumShape('approval', 'execution'), 'What it waits for.'),
  parentCallId: optionalField(identifierShape, 'The call of an agent inside of which it waits.'),
})

/** A paused run may hold others, so its shape is looked up when it is needed. */
const nestedPausedRunShape: Shape<PausedRun> = {
  expects: 'an object',
  read: (...reading) => pausedShape.read(...reading),
  schema: (define) => pausedShape.schema(define),
}

const nestedShape: Shape<NestedRun> = objectShape<NestedRun>('NestedRun', {
  run: requiredField(nestedPausedRunShape, 'The run that is open.'),
  messages: requiredField(listShape(messageShape), 'What was said in it.'),
  pauseCount: requiredField(numberShape, 'How often it has been left open.'),
})

const versionShape: Shape<1> = refinedShape(
  numberShape as Shape<1>,
  (version, path) => {
    if (version !== 1)
      throwInvalid('unsupported-version', path, 'another version', 'version 1', 'Update interlingua.')
  },
  { const: 1 },
)

const pausedShape: Shape<PausedRun> = objectShape<PausedRun>('PausedRun', {
  version: requiredField(versionShape, 'The version of this form.'),
  id: requiredField(identifierShape, 'The id of the run.'),
  message: requiredField(assistantShape, 'The answer whose calls are open.'),
  results: requiredField(listShape(resultShape), 'The results that are there.'),
  pending: requiredField(listShape(pendingShape), 'The calls that wait.'),
  nestedRuns: optionalField(recordShape(nestedShape), 'What agents inside of tools left open.'),
  steps: requiredField(listShape(stepShape), 'The calls of the model so far.'),
  toolUses: requiredField(recordShape(numberShape), 'How often each tool ran.'),
  orchestratorData: requiredField(jsonObjectShape, 'Notes of the orchestrator.'),
  elapsedMs: requiredField(numberShape, 'Milliseconds so far.'),
})

/** Checks a paused run that came back from storage. */
export function parsePausedRun(value: unknown): PausedRun {
  return readStrictly(pausedShape, value)
}

/** The same for what an agent inside of a tool left open. */
export function parseNestedRun(value: unknown): NestedRun {
  return readStrictly(nestedShape, value)
}
