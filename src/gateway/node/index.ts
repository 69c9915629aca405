export { postgresGatewayState, type PostgresGatewayStateOptions } from './postgres-state.ts'
export { type GatewayServer, type GatewayServerOptions, startGateway } from './server.ts'
