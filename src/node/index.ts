export { audioFromFile, fileFromFile, imageFromFile, videoFromFile } from './media-files.ts'
export {
  type GuardedFetch,
  createGuardedFetch,
  type GuardedFetchInit,
  type GuardedFetchOptions,
} from './guarded-fetch.ts'
