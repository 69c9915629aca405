import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CHILD_LIMIT_MS, collectOutput } from './compiled-cli.ts'
import { interlingua, type Ran, type RunOptions } from './run-command.ts'

/**
 * Runs a shell line with pipes, quotes and `> file`. `interlingua` runs in this process, which is fast; other
 * programs (`cat`, `grep`, `echo`) are real.
 */
export async function typed(line: string, options: RunOptions & { readonly folder: string }): Promise<Ran> {
  const [commands = '', target] = line.split(' > ')
  let ran: Ran = { code: 0, stdout: '', stderr: '' }
  for (const command of commands.split(' | ')) {
    const words = Array.from(
      command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
      ([, a, b, c]) => a ?? b ?? c ?? '',
    )
    const [name = '', ...rest] = words
    const next =
      name === 'interlingua'
        ? await interlingua(rest, { ...options, input: ran.stdout })
        : await program(name, rest, ran.stdout, options.folder)
    ran = { ...next, stderr: ran.stderr + next.stderr }
  }
  if (target === undefined) return ran
  await writeFile(join(options.folder, target), ran.stdout)
  return { ...ran, stdout: await readFile(join(options.folder, target), 'utf8') }
}

function program(name: string, words: readonly string[], input: string, folder: string): Promise<Ran> {
  return collectOutput(spawn(name, words, { cwd: folder, timeout: CHILD_LIMIT_MS }), input)
}
