import type { Command } from 'commander'

/** What an example shows, and the line to type. */
export type CommandExample = readonly [what: string, line: string]

const examplesByCommand = new WeakMap<Command, readonly CommandExample[]>()

/** Shows examples below a command's help; the tests run every one of them. */
export function addExamples(command: Command, list: readonly CommandExample[]): Command {
  examplesByCommand.set(command, list)
  const lines = list.flatMap(([what, line]) => [`  # ${what}`, `  ${line}`])
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

/** The examples of a command. */
export function getExamples(command: Command): readonly CommandExample[] {
  return examplesByCommand.get(command) ?? []
}
