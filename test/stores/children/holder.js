// @ts-check
// Opens a storage, prints the result, and holds it until its input ends. Arguments: build, path, `no-sqlite`, backend.
import { register } from 'node:module'
import { openStorage } from './open.js'

const [, , built = '', at = '', mode, backend = 'jsonl'] = process.argv
// An import that fails as it does where the optional package is not installed.
if (mode === 'no-sqlite')
  register(
    `data:text/javascript,export async function resolve(name, context, next) {
      if (name.startsWith('@photostructure')) throw new Error('missing');
      return next(name, context)
    }`.replaceAll('\n', ' '),
  )
try {
  const storage = await openStorage(built, backend, at)
  console.log('open')
  for await (const _chunk of process.stdin);
  await storage.close()
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error)
}
