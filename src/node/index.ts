export { audioFromFile, fileFromFile, imageFromFile, videoFromFile } from './files.ts'
