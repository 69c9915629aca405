import type { Command } from 'commander'

/** What an example shows, and the line to type. */
export type Example = readonly [what: string, line: string]

const known = new WeakMap<Command, readonly Example[]>()

/** Shows examples below a command's help; the tests run every one of them. */
export function examples(command: Command, list: readonly Example[]): Command {
  known.set(command, list)
  const lines = list.flatMap(([what, line]) => [`  # ${what}`, `  ${line}`])
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

/** The examples of a command. */
export function examplesOf(command: Command): readonly Example[] {
  return known.get(command) ?? []
}
