// @ts-check
// Opens a storage and closes it; prints `open`, or the code of the error. Arguments: build, backend, path.
import { openStorage } from './open.js'

const [, , built = '', backend = '', at = ''] = process.argv
try {
  await (await openStorage(built, backend, at)).close()
  console.log('open')
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error)
}
