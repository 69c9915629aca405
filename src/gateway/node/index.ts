export { postgresGatewayState, type PostgresGatewayStateOptions } from './postgres-gateway-state.ts'
export { type GatewayServer, type GatewayServerOptions, startGateway } from './start-gateway.ts'
