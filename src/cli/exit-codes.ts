/** Why a command ended, as its exit code; `docs/guide/command-line.md` has the same table, and a test holds the two together. */
export const EXIT_CODES = {
  ok: [0, 'Done.'],
  failed: [1, 'Something failed that is none of the below: the disk is full, or a fault of ours.'],
  usage: [2, 'The command line is not understood.'],
  input: [3, 'Some input cannot be read; each fault is told with its file, line and reason.'],
  loss: [4, 'Meaning would be lost, and `--strict` forbids it.'],
  broken: [5, '`verify`, `store verify` or `doctor` found something broken.'],
  provider: [6, 'A provider refused or failed.'],
  interrupted: [130, 'Ctrl-C: nothing is left half-written.'],
  'reader-gone': [141, 'The program that read our output has ended.'],
} as const

export type ExitName = keyof typeof EXIT_CODES

export function getExitCode(name: ExitName): number {
  return EXIT_CODES[name][0]
}

/** Ends a command with an exit code of its own; what it has to say has been said. */
export class CommandExit extends Error {
  override readonly name = 'Exit'
  readonly exitName: ExitName

  constructor(exit: ExitName, message = '') {
    super(message)
    this.exitName = exit
  }
}
