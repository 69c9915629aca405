export { audioFromFile, fileFromFile, imageFromFile, videoFromFile } from './files.ts'
export { type GuardedFetch, guardedFetch, type GuardedInit, type GuardOptions } from './guarded-fetch.ts'
