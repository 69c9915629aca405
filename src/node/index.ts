export { readParquetRows } from './parquet-rows.ts'
export { audioFromFile, fileFromFile, imageFromFile, videoFromFile } from './media-files.ts'
export {
  type GuardedFetch,
  createGuardedFetch,
  type GuardedFetchInit,
  type GuardedFetchOptions,
} from './guarded-fetch.ts'
export {
  type AwsCredentials,
  type BedrockConnection,
  type BedrockConnectionOptions,
  connectToBedrock,
} from './bedrock-connection.ts'
export { connectToVertex, type VertexConnection, type VertexConnectionOptions } from './vertex-connection.ts'
