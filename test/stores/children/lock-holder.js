// @ts-check
// Acquires the lock of a file, prints the result, and holds it until its input ends. Arguments: build, path, `no-sqlite`.
import { register } from 'node:module'

const [, , built = '', at = '', mode] = process.argv
// An import that fails as it does where the optional package is not installed.
if (mode === 'no-sqlite') {
  register(
    `data:text/javascript,export async function resolve(name, context, next) {
      if (name.startsWith('@photostructure')) throw new Error('missing');
      return next(name, context)
    }`.replaceAll('\n', ' '),
  )
  // Newer versions of Node contain SQLite.
  process.getBuiltinModule = () => undefined
}
const { acquireFileLock } = await import(`${built}/stores/jsonl/file-lock.js`)
try {
  const release = await acquireFileLock(at)
  console.log('locked')
  for await (const _chunk of process.stdin);
  await release()
} catch (error) {
  console.log(error instanceof Error && 'code' in error ? error.code : error)
}
