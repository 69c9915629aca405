import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { FunctionTool, OpaqueTool, ProviderTool } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import { type SchemaSource, toJsonSchema, isStandardSchema } from '../../schema/schema-source.ts'
import type { Json } from '../../wire/json.ts'
import { assertNumericSettings } from '../../wire/limits.ts'
import type { Step } from '../step.ts'
import type { NestedResumption } from '../resumption.ts'
import type { Decision } from './decision.ts'

/** What a tool is told beside its input. */
export interface ToolContext {
  readonly call: ToolCallPart
  /** The id of the run. */
  readonly runId: string
  /** The conversation up to this call, without the answer that holds it. */
  readonly messages: Iterable<Message>
  /** Ends when the run is aborted or the tool's time is over. */
  readonly signal: AbortSignal
  /** 1, and one more each time that it is tried again. */
  readonly attempt: number
  /** Tells those who watch the run how far the tool is. */
  readonly reportProgress: (progress: Json) => void
  /** Takes the steps of an agent that works inside of the tool: they count as those of the run do. */
  readonly addSteps: (steps: readonly Step[]) => void
  /** Asks whoever decides about calls; agents inside of tools hand their own questions on. */
  readonly approve?: ApprovalHandler
  /** What an agent inside of the tool left open when the run was paused: it goes on there. */
  readonly nested?: NestedResumption
}

/** Decides about a call that needs approval; `undefined` pauses the run. The call has no `extra`. */
export type ApprovalHandler = (call: ToolCallPart) => Decision | undefined | Promise<Decision | undefined>

/** What {@link tool} takes. */
export interface ToolOptions<Input> {
  readonly name: string
  /** What it does and when to use it, for the model. */
  readonly description?: string
  /** The schema of its input: Standard Schema (zod, arktype, …) or JSON Schema. Default: an object without properties. */
  readonly input?: SchemaSource<Input>
  /**
   * Does the work, with input that fits the schema. Gives text, any JSON, parts made by builders, or an async iterable:
   * what that yields is progress, and the result is what it returns or else yields last. Without `run` the caller executes the
   * tool: the run pauses, and `resume` takes the output.
   */
  run?(input: Input, context: ToolContext): unknown
  /** Whether a call must be approved before it runs. */
  readonly needsApproval?: boolean | ((input: Input, call: ToolCallPart) => boolean | Promise<boolean>)
  /** Milliseconds for one attempt. */
  readonly timeoutMs?: number
  /** How often it is tried again after an error. Default: 0. */
  readonly retries?: number
  /** How often it may run within one run of the agent. */
  readonly maxUses?: number
  /** Whether running it twice for one call does no harm. After a crash only such a tool is run again. */
  readonly idempotent?: boolean
  /** Asks providers that can to bind the arguments to the schema. */
  readonly strict?: boolean
}

/** A tool that an agent offers to its model: what {@link tool} makes. */
export interface AgentTool {
  readonly name: string
  /** What the model is told. */
  readonly definition: FunctionTool
  /** The schema that the input is checked against. */
  readonly schemaSource: SchemaSource
  readonly run?: (input: unknown, context: ToolContext) => unknown
  readonly needsApproval: (input: unknown, call: ToolCallPart) => boolean | Promise<boolean>
  readonly timeoutMs?: number
  readonly retries: number
  readonly maxUses?: number
  readonly idempotent: boolean
  /** Whether an agent works inside of it, which may be left open and go on: no other tool is run without being allowed anew. */
  readonly isAgent?: true
}

/** Whatever may stand among an agent's tools; what the provider runs is passed through. */
export type ToolInput = AgentTool | ProviderTool | OpaqueTool

const NO_INPUT_SCHEMA = { type: 'object', properties: {} } as const

/**
 * A tool for an agent.
 *
 * @example
 * const weather = tool({
 *   name: 'weather',
 *   description: 'The weather of a city, now.',
 *   input: z.object({ city: z.string() }),
 *   run: async ({ city }) => ({ celsius: await measure(city) }),
 * })
 */
export function tool<Input = unknown>(options: ToolOptions<Input>): AgentTool {
  const {
    name,
    description,
    input = NO_INPUT_SCHEMA,
    needsApproval = false,
    retries = 0,
    idempotent = false,
  } = options
  if (typeof name !== 'string' || name === '') throw missingToolName()
  const { timeoutMs, maxUses, strict } = options
  assertNumericSettings('', { timeoutMs, retries, maxUses })
  const schema = toJsonSchema(input)
  // The input has been checked against the schema that its type comes from.
  const erased = options as ToolOptions<unknown>
  return Object.freeze({
    name,
    definition: Object.freeze({
      type: 'function',
      name,
      ...(description !== undefined && { description }),
      input: schema,
      ...(strict !== undefined && { strict }),
    }),
    // What is frozen is prepared for checking once, and not with each call.
    schemaSource: isStandardSchema(input) ? input : schema,
    ...(erased.run && { run: (given: unknown, context: ToolContext) => erased.run?.(given, context) }),
    needsApproval:
      typeof needsApproval === 'function'
        ? (needsApproval as AgentTool['needsApproval'])
        : () => needsApproval,
    retries,
    idempotent,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxUses !== undefined && { maxUses }),
  })
}

function missingToolName(): InterlinguaError {
  return new InterlinguaError('invalid-value', 'A tool has no name', {
    path: '/name',
    found: 'no name',
    expected: 'a string that is not empty',
    hint: 'Give the name by which the model calls it.',
  })
}

/** True for what the application runs, and not the provider. */
export function isAgentTool(input: ToolInput): input is AgentTool {
  return 'definition' in input
}
