import type { Message } from '../../canonical/model/message.ts'
import type { ToolCallPart } from '../../canonical/model/part.ts'
import type { FunctionTool, OpaqueTool, ProviderTool } from '../../canonical/model/tool.ts'
import { InterlinguaError } from '../../errors.ts'
import { type SchemaSource, toJsonSchema, isStandardSchema } from '../../schema/schema-source.ts'
import { omitUndefined, type Json } from '../../wire/json.ts'
import { checkOptions, type OptionHints, type OptionNames } from '../../wire/check-options.ts'
import { assertNumericSettings } from '../../wire/stream-limits.ts'
import type { Step } from '../step.ts'
import type { NestedResumption } from '../resumption.ts'
import type { Decision } from './decision.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** The second argument of a tool's `run`. */
export interface ToolContext {
  readonly call: ToolCallPart
  /** The id of the run. */
  readonly runId: string
  /** The conversation before the assistant message that contains this call. */
  readonly messages: Iterable<Message>
  /** Aborted when the run is aborted or the time limit of the tool is reached. */
  readonly signal: AbortSignal
  /** The number of the attempt, starting at 1. */
  readonly attempt: number
  /** Reports progress to the reader of the stream. */
  readonly reportProgress: (progress: Json) => void
  /** Adds the steps of a nested agent, so that they count toward the usage and limits of this run. */
  readonly addSteps: (steps: readonly Step[]) => void
  /** The approval handler of the run; nested agents use it for their own calls. */
  readonly approve?: ApprovalHandler
  /** The paused run of a nested agent that this call resumes. */
  readonly nested?: NestedResumption
}

/** Decides about a call that needs approval; `undefined` pauses the run. The call is passed without `extra`. */
export type ApprovalHandler = (call: ToolCallPart) => Decision | undefined | Promise<Decision | undefined>

/** Options of {@link tool}. */
export interface ToolOptions<Input> {
  readonly name: string
  /** Tells the model the purpose of the tool and when to use it. */
  readonly description?: string
  /** Standard Schema (zod, arktype, …) or JSON Schema. Default: an object without properties. */
  readonly input?: SchemaSource<Input>
  /**
   * Runs the tool with input that conforms to the schema. Returns text, JSON, content parts, or an async
   * iterable whose yielded values are progress and whose result is the value it returns, or else the last one
   * it yields. Without `run`, the caller executes the tool: the run pauses, and `resume` takes the output.
   */
  run?(input: Input, context: ToolContext): unknown
  /** True if a call must be approved before it runs. Default: false. */
  readonly needsApproval?: boolean | ((input: Input, call: ToolCallPart) => boolean | Promise<boolean>)
  /** The time limit for one attempt. Default: `toolTimeoutMs` of the agent. */
  readonly timeoutMs?: number
  /** The number of retries after an error. Default: 0. */
  readonly retries?: number
  /** The number of times it may run within one run of the agent. Default: unlimited. */
  readonly maxUses?: number
  /** True if repeating a call is harmless; only then is it run again after a crash. Default: false. */
  readonly idempotent?: boolean
  /** Requests strict schema conformance of the arguments from providers that support it. */
  readonly strict?: boolean
}

/** A tool that an agent offers to its model, created by {@link tool}. */
export interface AgentTool {
  readonly name: string
  /** The definition that is sent to the model. */
  readonly definition: FunctionTool
  /** The schema that validates the input. */
  readonly schemaSource: SchemaSource
  readonly run?: (input: unknown, context: ToolContext) => unknown
  readonly needsApproval: (input: unknown, call: ToolCallPart) => boolean | Promise<boolean>
  readonly timeoutMs?: number
  readonly retries: number
  readonly maxUses?: number
  readonly idempotent: boolean
  /** True for an agent as a tool. Only its calls can pause while they run. */
  readonly isAgent?: true
}

/** A tool of an agent; provider tools and opaque tools are passed to the model unchanged. */
export type ToolInput = AgentTool | ProviderTool | OpaqueTool

const OPTION_NAMES: OptionNames<ToolOptions<unknown>> = {
  name: true,
  description: true,
  input: true,
  run: Function,
  needsApproval: true,
  timeoutMs: true,
  retries: true,
  maxUses: true,
  idempotent: Boolean,
  strict: Boolean,
}

/** Names of tools in other libraries. */
const OPTION_HINTS: OptionHints = {
  execute: 'Use `run`.',
  func: 'Use `run`.',
  handler: 'Use `run`.',
  inputSchema: 'Use `input`.',
  parameters: 'Use `input`.',
  schema: 'Use `input`.',
}

const NO_INPUT_SCHEMA = { type: 'object', properties: {} } as const

/**
 * Creates a tool for an agent.
 *
 * @example
 * const weather = tool({
 *   name: 'weather',
 *   description: 'Returns the current weather of a city.',
 *   input: z.object({ city: z.string() }),
 *   run: async ({ city }) => ({ celsius: await measure(city) }),
 * })
 */
export function tool<Input = unknown>(options: ToolOptions<Input>): AgentTool {
  return withTypedErrors(() => {
    checkOptions('the tool', options, OPTION_NAMES as OptionNames<ToolOptions<Input>>, OPTION_HINTS)
    const { name, description, strict, input = NO_INPUT_SCHEMA } = options
    const { needsApproval = false, timeoutMs, retries = 0, maxUses, idempotent = false } = options
    checkToolName(name)
    assertNumericSettings('', { timeoutMs, retries, maxUses })
    const schema = toJsonSchema(input)
    // The input is validated by the schema that determines its type, so the type parameter can be erased.
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
      // The frozen schema is compiled once and not for each call.
      schemaSource: isStandardSchema(input) ? input : schema,
      ...(erased.run && { run: (value: unknown, context: ToolContext) => erased.run?.(value, context) }),
      needsApproval:
        typeof needsApproval === 'function'
          ? (needsApproval as AgentTool['needsApproval'])
          : () => needsApproval,
      retries,
      idempotent,
      ...omitUndefined({ timeoutMs, maxUses }),
    })
  }, [options])
}

function checkToolName(name: unknown): void {
  if (typeof name === 'string' && name !== '') return
  throw new InterlinguaError('invalid-value', 'A tool has no name', {
    path: '/name',
    found: 'no name',
    expected: 'a non-empty string',
    hint: 'Set `name` to the name that the model uses in its calls.',
  })
}

/** Returns true for a tool that the application runs, and false for provider and opaque tools. */
export function isApplicationTool(input: ToolInput): input is AgentTool {
  return 'definition' in input
}
