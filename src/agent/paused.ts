import type { Cost } from '../client/model.ts'
import type { AssistantMessage, Message } from '../canonical/model/message.ts'
import type { ToolCallPart, ToolResultPart } from '../canonical/model/part.ts'
import { assistantFields, messageShape, messageShapes, usageShape } from '../canonical/shape/message.ts'
import { objectShape, optional, required } from '../canonical/shape/object.ts'
import { partShapes } from '../canonical/shape/part.ts'
import {
  dictionary,
  identifier,
  jsonObject,
  list,
  number,
  refined,
  fail,
  type Shape,
  string,
  word,
} from '../canonical/shape/shape.ts'
import { readStrictly } from '../canonical/shape/strict.ts'
import type { JsonObject } from '../wire/json.ts'
import type { Step } from './result.ts'

/** A call that waits for the caller. */
export interface PendingCall {
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
  amount: required(number, 'How much.'),
  currency: required(string, 'In which currency.'),
  asOf: required(string, 'The date of the prices.'),
})

const stepShape: Shape<Step> = objectShape<Step>('Step', {
  provider: required(string, 'Who answered.'),
  model: required(string, 'Which model answered.'),
  usage: optional(usageShape, 'Its tokens.'),
  cost: optional(costShape, 'Its price.'),
  finish: assistantFields.finish,
  tool: optional(string, 'The tool inside of which an agent made it.'),
})

const pendingShape: Shape<PendingCall> = objectShape<PendingCall>('PendingCall', {
  call: required(callShape, 'The call.'),
  waitsFor: required(word('approval', 'execution'), 'What it waits for.'),
  parentCallId: optional(identifier, 'The call of an agent inside of which it waits.'),
})

/** A paused run may hold others, so its shape is looked up when it is needed. */
const innerShape: Shape<PausedRun> = {
  expects: 'an object',
  read: (...reading) => pausedShape.read(...reading),
  schema: (define) => pausedShape.schema(define),
}

const nestedShape: Shape<NestedRun> = objectShape<NestedRun>('NestedRun', {
  run: required(innerShape, 'The run that is open.'),
  messages: required(list(messageShape), 'What was said in it.'),
  pauseCount: required(number, 'How often it has been left open.'),
})

const versionShape: Shape<1> = refined(
  number as Shape<1>,
  (version, at) => {
    if (version !== 1) fail('unsupported-version', at, 'another version', 'version 1', 'Update interlingua.')
  },
  { const: 1 },
)

const pausedShape: Shape<PausedRun> = objectShape<PausedRun>('PausedRun', {
  version: required(versionShape, 'The version of this form.'),
  id: required(identifier, 'The id of the run.'),
  message: required(assistantShape, 'The answer whose calls are open.'),
  results: required(list(resultShape), 'The results that are there.'),
  pending: required(list(pendingShape), 'The calls that wait.'),
  nestedRuns: optional(dictionary(nestedShape), 'What agents inside of tools left open.'),
  steps: required(list(stepShape), 'The calls of the model so far.'),
  toolUses: required(dictionary(number), 'How often each tool ran.'),
  orchestratorData: required(jsonObject, 'Notes of the orchestrator.'),
  elapsedMs: required(number, 'Milliseconds so far.'),
})

/** Checks a paused run that came back from storage. */
export function readPaused(value: unknown): PausedRun {
  return readStrictly(pausedShape, value)
}

/** The same for what an agent inside of a tool left open. */
export function readNested(value: unknown): NestedRun {
  return readStrictly(nestedShape, value)
}
