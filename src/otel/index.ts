export { agentTracing, type AgentTracingOptions } from './agent-tracing.ts'
export { gatewayTracing } from './gateway-tracing.ts'
export { type StorageTracingOptions, traceStorage } from './storage-tracing.ts'
export { tracing, type TracingOptions } from './model-tracing.ts'
