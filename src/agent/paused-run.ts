import type { Cost } from '../canonical/model/model-interface.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../canonical/model/part.ts'
import { assistantOnlyFields, messageShape, messageShapes, usageShape } from '../canonical/shape/message.ts'
import {
  objectShape,
  optional as optionalField,
  required as requiredField,
} from '../canonical/shape/object.ts'
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
  readCanonicalValue,
} from '../canonical/shape/shape.ts'
import type { JsonObject } from '../wire/json.ts'
import type { Step } from './step.ts'

/** A tool call that waits for the caller. */
export interface PendingCall {
  /** The call to show to the user, without `extra` and signature. */
  readonly call: ToolCallPart
  /** `approval`: the caller decides if the tool runs. `execution`: the caller runs it. */
  readonly waitsFor: 'approval' | 'execution'
  /** The id of the tool call that runs the nested agent; the id of `call` starts with it. */
  readonly parentCallId?: string
}

/** A paused run of a nested agent. The tool call that runs the agent waits with it. */
export interface NestedRun {
  readonly run: PausedRun
  /** The messages of the nested run so far. */
  readonly messages: readonly Message[]
  /** The number of times it was paused. */
  readonly pauseCount: number
}

/**
 * A run that waits for decisions. It is plain JSON, so it can be stored and resumed in another process. It
 * contains the pending assistant message, which is not yet in the `messages` of any result. Store it where
 * users cannot change it: the tool calls in it are executed on resume.
 */
export interface PausedRun {
  readonly version: 1
  /** The id of the run. */
  readonly id: string
  /** The assistant message with the pending tool calls. */
  readonly message: AssistantMessage
  /** The results of its calls that are complete; these calls are not run again. */
  readonly results: readonly ToolResultPart[]
  readonly pending: readonly PendingCall[]
  /** Paused runs of nested agents, by the id of the tool call that runs the agent. */
  readonly nestedRuns?: { readonly [callId: string]: NestedRun }
  readonly steps: readonly Step[]
  /** The number of uses of each tool. */
  readonly toolUses: { readonly [tool: string]: number }
  /** The `run.data` of the orchestrator. */
  readonly orchestratorData: JsonObject
  /** The duration of the run so far, without the time it was paused. */
  readonly elapsedMs: number
}

const assistantShape = messageShapes.assistant as Shape<AssistantMessage>
const resultShape = partShapes['tool-result']
const callShape = partShapes['tool-call']

const costShape: Shape<Cost> = objectShape<Cost>('Cost', {
  amount: requiredField(numberShape, 'The amount.'),
  currency: requiredField(stringShape, 'The currency of the amount.'),
  asOf: requiredField(stringShape, 'The date of the prices.'),
})

const stepShape: Shape<Step> = objectShape<Step>('Step', {
  provider: requiredField(stringShape, 'The provider that responded.'),
  model: requiredField(stringShape, 'The model that responded.'),
  usage: optionalField(usageShape, 'The token usage of the step.'),
  cost: optionalField(costShape, 'The cost of the step.'),
  finish: assistantOnlyFields.finish,
  tool: optionalField(stringShape, 'The tool whose nested agent made the step.'),
})

const pendingShape: Shape<PendingCall> = objectShape<PendingCall>('PendingCall', {
  call: requiredField(callShape, 'The tool call.'),
  waitsFor: requiredField(enumShape('approval', 'execution'), 'The kind of decision that is needed.'),
  parentCallId: optionalField(identifierShape, 'The tool call that runs the nested agent.'),
})

/** A paused run may contain others, so its shape is resolved lazily. */
const nestedPausedRunShape: Shape<PausedRun> = {
  expects: 'an object',
  read: (...reading) => pausedShape.read(...reading),
  schema: (define) => pausedShape.schema(define),
}

const nestedShape: Shape<NestedRun> = objectShape<NestedRun>('NestedRun', {
  run: requiredField(nestedPausedRunShape, 'The paused run.'),
  messages: requiredField(listShape(messageShape), 'The messages of the nested run so far.'),
  pauseCount: requiredField(numberShape, 'The number of times it was paused.'),
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
  version: requiredField(versionShape, 'The version of the stored form.'),
  id: requiredField(identifierShape, 'The id of the run.'),
  message: requiredField(assistantShape, 'The assistant message with the pending tool calls.'),
  results: requiredField(listShape(resultShape), 'The results that are complete.'),
  pending: requiredField(listShape(pendingShape), 'The tool calls that wait for a decision.'),
  nestedRuns: optionalField(recordShape(nestedShape), 'Paused runs of nested agents, by tool call id.'),
  steps: requiredField(listShape(stepShape), 'The model calls so far.'),
  toolUses: requiredField(recordShape(numberShape), 'The number of uses of each tool.'),
  orchestratorData: requiredField(jsonObjectShape, 'Data of the orchestrator.'),
  elapsedMs: requiredField(numberShape, 'The duration of the run so far, in milliseconds.'),
})

/** Validates a stored paused run. */
export function parsePausedRun(value: unknown): PausedRun {
  return readCanonicalValue(pausedShape, value)
}

/** Validates a stored nested run. */
export function parseNestedRun(value: unknown): NestedRun {
  return readCanonicalValue(nestedShape, value)
}
