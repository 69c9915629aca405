export { hashKey } from './clients.ts'
export type {
  CircuitOptions,
  GatewayConfig,
  GatewayKey,
  GatewayLogEntry,
  GatewayRoute,
  WeightedTarget,
} from './config.ts'
export { createGateway, type Gateway } from './gateway.ts'
