import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { InterlinguaError } from '../../errors.ts'
import { readEnvironmentVariable } from '../../providers/connection.ts'

/** Where a configuration file takes a secret from; it never contains one itself. */
export type SecretSource =
  | { readonly env: string }
  | { readonly file: string }
  | { readonly command: readonly string[] }

/** Where a source is: paths are relative to the folder of the configuration. */
export interface SecretPlace {
  /** JSON pointer in the configuration. */
  readonly path: string
  readonly folder: string
}

/** Others of the machine must not be able to write the file of a key. */
const WRITABLE_BY_OTHERS = 0o022

/** Nor to read it, unless it is a file of root: Docker and Kubernetes mount secrets with the modes 444 and 644. */
const READABLE_BY_OTHERS = 0o044

const COMMAND_TIMEOUT_MS = 10_000

/** How long the output of a command is used before it runs again. */
const COMMAND_LIFETIME_MS = 300_000

const run = promisify(execFile)

/** Returns a function that reads a secret each time. The output of a command is kept for five minutes. */
export function createSecretReader(source: SecretSource, place: SecretPlace): () => Promise<string> {
  if (!('command' in source)) return () => readSecret(source, place)
  let output: Promise<string> | undefined
  let readAt = 0
  return () => {
    if (output === undefined || Date.now() - readAt > COMMAND_LIFETIME_MS) {
      readAt = Date.now()
      output = readSecret(source, place)
      output.catch(() => (output = undefined))
    }
    return output
  }
}

/** Reads a secret; throws an error without any part of it. */
export async function readSecret(source: SecretSource, place: SecretPlace): Promise<string> {
  const { path, folder } = place
  const secret = await readSource(source, folder, path)
  if (secret !== '') return secret
  throw new InterlinguaError('missing-field', 'A secret of the configuration is empty', {
    path,
    found: 'nothing',
    expected: 'a secret',
    hint: 'env' in source ? `Set ${source.env}.` : 'Check the file or the command.',
  })
}

async function readSource(source: SecretSource, folder: string, path: string): Promise<string> {
  if ('env' in source) return (readEnvironmentVariable(source.env) ?? '').trim()
  if ('command' in source) return runCommand(source.command, folder, path)
  const file = resolve(folder, source.file)
  const { mode, uid } = await stat(file).catch(() => ({ mode: WRITABLE_BY_OTHERS, uid: 0 }))
  const forbidden = uid === 0 ? WRITABLE_BY_OTHERS : WRITABLE_BY_OTHERS | READABLE_BY_OTHERS
  if (process.platform !== 'win32' && (mode & forbidden) !== 0)
    throw new InterlinguaError('unreadable-file', 'The file of a secret is missing, or open to others', {
      path,
      expected: 'a file with the mode 600',
      hint: 'Run `chmod 600` on the file.',
    })
  return (await readFile(file, 'utf8')).trim()
}

/** Runs a command without a shell. Its output and its errors are never repeated: they may contain the secret. */
async function runCommand(
  [file = '', ...parameters]: readonly string[],
  cwd: string,
  path: string,
): Promise<string> {
  try {
    const { stdout } = await run(file, parameters, { cwd, timeout: COMMAND_TIMEOUT_MS, windowsHide: true })
    return stdout.trim()
  } catch {
    throw new InterlinguaError('unreadable-file', 'The command of a secret failed', {
      path,
      found: `the command '${file}'`,
      expected: 'a command that prints the secret and ends with code 0',
      hint: 'Run the command by hand.',
    })
  }
}
