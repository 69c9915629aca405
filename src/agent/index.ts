export { Agent } from './agent.ts'
export { cosineSimilarity, embedAll, type EmbedAllOptions } from './embeddings.ts'
export { OutputError, RunError } from './run-errors.ts'
export type { AgentHooks } from './hooks.ts'
export type { AgentTracer, TracedRun, TracedToolCall } from './agent-tracer.ts'
export type { RunLimits } from './run-limits.ts'
export type {
  AgentOptions,
  CommonRunOptions,
  RequestSettings,
  RunOptions,
  TypedRunOptions,
} from './options.ts'
export type {
  ModelReply,
  ModelCallOptions,
  EventMapper,
  Orchestrator,
  Run,
  StepResult,
} from './orchestrators/orchestrator.ts'
export { type OrchestratorCriteria, selectOrchestrator } from './orchestrators/select-orchestrator.ts'
export { type OutputSpec, createOutputSpec } from './output/output-spec.ts'
export type { NestedRun, PausedRun, PendingCall } from './paused-run.ts'
export { AgentStream, renderText } from './agent-stream.ts'
export type { AgentChunk, AgentResult, RunFinishReason, RunFinish, ToolProgress } from './agent-result.ts'
export type { Step } from './step.ts'
export type { Decisions, NestedResumption } from './resumption.ts'
export { directRunner, type Runner } from './step-runner.ts'
export { MessageQueue } from './message-queue.ts'
export type { AgentToolOptions } from './tools/agent-tool.ts'
export type { Decision } from './tools/decision.ts'
export type { ToolBatchResult, ToolBatchOptions } from './tools/tool-batch.ts'
export { type ToolExecutorOptions, ToolExecutor } from './tools/tool-executor.ts'
export { joinTools } from './tools/tool-set.ts'
export {
  type AgentTool,
  type ApprovalHandler,
  tool,
  type ToolContext,
  type ToolInput,
  type ToolOptions,
} from './tools/tool.ts'
