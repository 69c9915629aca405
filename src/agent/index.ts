export { Agent } from './agent.ts'
export { cosineSimilarity, embedAll, type EmbedAllOptions } from './embeddings.ts'
export { OutputError, RunError } from './errors.ts'
export type { AgentHooks } from './hooks.ts'
export type { Limits } from './limits.ts'
export type { AgentOptions, CommonOptions, RequestSettings, RunOptions, TypedRunOptions } from './options.ts'
export type {
  Answer,
  AskOptions,
  Narrate,
  Orchestrator,
  Run,
  StepResult,
} from './orchestrators/orchestrator.ts'
export { type Needs, selectOrchestrator } from './orchestrators/select.ts'
export { type OutputFormat, outputFormat } from './output/format.ts'
export type { NestedRun, PausedRun, PendingCall } from './paused.ts'
export { renderText } from './render.ts'
export type { AgentChunk, AgentResult, RunEnd, RunFinish, Step, ToolProgress } from './result.ts'
export type { Decisions, NestedResumption } from './resumption.ts'
export { inline, type Runner } from './runner.ts'
export { Steering } from './steering.ts'
export { AgentStream } from './stream.ts'
export type { AgentAsTool } from './tools/agent-tool.ts'
export type { Decision } from './tools/decision.ts'
export type { Batch, BatchOptions } from './tools/batch.ts'
export { type ExecutorOptions, ToolExecutor } from './tools/executor.ts'
export { joinTools } from './tools/join.ts'
export {
  type AgentTool,
  type Approve,
  tool,
  type ToolContext,
  type ToolInput,
  type ToolOptions,
} from './tools/tool.ts'
