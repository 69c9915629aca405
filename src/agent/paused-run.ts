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
  amount: requiredField(numberShape),
  currency: requiredField(stringShape),
  asOf: requiredField(stringShape),
})

const stepShape: Shape<Step> = objectShape<Step>('Step', {
  provider: requiredField(stringShape),
  model: requiredField(stringShape),
  usage: optionalField(usageShape),
  cost: optionalField(costShape),
  finish: assistantOnlyFields.finish,
  tool: optionalField(stringShape),
})

const pendingShape: Shape<PendingCall> = objectShape<PendingCall>('PendingCall', {
  call: requiredField(callShape),
  waitsFor: requiredField(enumShape('approval', 'execution')),
  parentCallId: optionalField(identifierShape),
})

/** A paused run may contain others, so its shape is resolved lazily. */
const nestedPausedRunShape: Shape<PausedRun> = {
  expects: 'an object',
  read: (...reading) => pausedShape.read(...reading),
  schema: (define) => pausedShape.schema(define),
}

const nestedShape: Shape<NestedRun> = objectShape<NestedRun>('NestedRun', {
  run: requiredField(nestedPausedRunShape),
  messages: requiredField(listShape(messageShape)),
  pauseCount: requiredField(numberShape),
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
  version: requiredField(versionShape),
  id: requiredField(identifierShape),
  message: requiredField(assistantShape),
  results: requiredField(listShape(resultShape)),
  pending: requiredField(listShape(pendingShape)),
  nestedRuns: optionalField(recordShape(nestedShape)),
  steps: requiredField(listShape(stepShape)),
  toolUses: requiredField(recordShape(numberShape)),
  orchestratorData: requiredField(jsonObjectShape),
  elapsedMs: requiredField(numberShape),
})

/** Validates a stored paused run. */
export function parsePausedRun(value: unknown): PausedRun {
  return readCanonicalValue(pausedShape, value)
}

/** Validates a stored nested run. */
export function parseNestedRun(value: unknown): NestedRun {
  return readCanonicalValue(nestedShape, value)
}
