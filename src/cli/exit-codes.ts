/** Exit codes and their meanings; a test compares them with the documentation. */
export const EXIT_CODES = {
  ok: [0, 'Done.'],
  failed: [1, 'Any other failure, such as a full disk or a bug.'],
  usage: [2, 'The command line, the name of a model or the base URL of a provider is invalid.'],
  input: [3, 'Some input cannot be read; each error is printed with its file, line and reason.'],
  loss: [4, 'Something would be lost, and `--strict` is set.'],
  'check-failed': [5, '`verify`, `store verify`, `store salvage` or `doctor` found a problem.'],
  provider: [6, 'A provider rejected the request or failed.'],
  'missing-key': [7, 'The API key of the provider is missing; the error names the variable to set.'],
  interrupted: [130, 'Interrupted with Ctrl-C; no file is left partially written.'],
  'broken-pipe': [141, 'The program that read the output has exited (broken pipe).'],
} as const

export type ExitName = keyof typeof EXIT_CODES

export function getExitCode(name: ExitName): number {
  return EXIT_CODES[name][0]
}

/** Ends a command with an exit code. An empty message means that everything has been printed already. */
export class CommandExit extends Error {
  override readonly name = 'CommandExit'
  readonly exitName: ExitName

  constructor(exit: ExitName, message = '') {
    super(message)
    this.exitName = exit
  }
}
