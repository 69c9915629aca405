export { hashKey } from './client-registry.ts'
export type {
  CircuitOptions,
  GatewayConfig,
  GatewayKey,
  GatewayLimit,
  GatewayRoute,
  LimitPeriod,
  RecordingOptions,
  RetryBudget,
  WeightedTarget,
} from './config.ts'
export { createGateway, type Gateway } from './gateway.ts'
export type { GatewayTracer, RequestSpan, TracedRequest } from './gateway-tracer.ts'
export type { FailedAttempt, GatewayLogEntry } from './log-entry.ts'
export type { GatewayState, UsedAmounts } from './state/gateway-state.ts'
export { ConnectionMemory } from './responses/connection-memory.ts'
