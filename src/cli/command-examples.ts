import type { Command } from 'commander'

/** The description of an example and its command line. */
export type CommandExample = readonly [what: string, line: string]

const examplesByCommand = new WeakMap<Command, readonly CommandExample[]>()

/** Adds examples to the help of a command. The tests run each of them. */
export function addCommandExamples(command: Command, list: readonly CommandExample[]): Command {
  examplesByCommand.set(command, list)
  const lines = list.flatMap(([what, line]) => [`  # ${what}`, `  ${line}`])
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

export function getCommandExamples(command: Command): readonly CommandExample[] {
  return examplesByCommand.get(command) ?? []
}
