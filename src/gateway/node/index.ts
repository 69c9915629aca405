export { type GatewayServer, type GatewayServerOptions, startGateway } from './server.ts'
