import { groupLosses, type LossGroup } from '../../canonical/losses/summary.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { CommandExit, type ExitName } from '../exit-codes.ts'
import { getExitName, type InputFault, printFault } from '../error-output.ts'
import { formatSeverity, LossTally } from '../loss-tally.ts'
import { type Colorizer, createColorizer, escapeControlCharacters } from '../terminal-text.ts'
import { printNotice, type Terminal } from '../command-io.ts'

/** Prints the losses, errors and summary of a conversion to standard error. */
export class ConversionReporter {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Colorizer
  readonly #tally = new LossTally()
  #converted = 0
  #faults = 0
  #worstExit: ExitName = 'ok'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = createColorizer(terminal, terminal.stderr)
  }

  /** Counts a converted document and its losses; prints them if `shouldList` is set: grouped as text, each as JSON. */
  async addConverted(losses: readonly Loss[], shouldList: boolean): Promise<void> {
    this.#converted++
    for (const loss of losses) this.#tally.add(loss)
    if (!shouldList) return
    if (this.#json)
      for (const loss of losses)
        await printNotice(this.#terminal, JSON.stringify({ type: loss.severity, ...loss }))
    else for (const group of groupLosses(losses)) await printNotice(this.#terminal, this.#formatGroup(group))
  }

  #formatGroup({ severity, count, rule, path, reason }: LossGroup): string {
    const label = formatSeverity(severity, this.#paint)
    const times = count === 1 ? '' : `${count} × `
    return `${label}  ${times}${rule} at ${escapeControlCharacters(path)}: ${reason}`
  }

  async addFault(fault: InputFault): Promise<void> {
    this.#faults++
    const exit = getExitName(fault.error)
    if (this.#worstExit === 'ok' || exit === 'input') this.#worstExit = exit
    await printFault(fault, this.#json, this.#terminal)
  }

  async printRemark(text: string): Promise<void> {
    await this.#print({ type: 'remark', text }, () => this.#paint('dim', text))
  }

  /** Prints the totals of a line-by-line conversion. */
  async printSummary(): Promise<void> {
    const counts = { converted: this.#converted, faults: this.#faults }
    await this.#print({ type: 'summary', ...counts, losses: this.#tally }, () =>
      [
        ...this.#tally.formatLines(this.#paint),
        `${this.#converted} converted${this.#faults > 0 ? `, ${this.#faults} failed` : ''}`,
      ].join('\n'),
    )
  }

  /** Ends the command with the exit code of the worst error, if there was one. */
  exitOnFault(): void {
    if (this.#worstExit !== 'ok') throw new CommandExit(this.#worstExit)
  }

  #print(json: object, formatText: () => string): Promise<void> {
    return printNotice(this.#terminal, this.#json ? JSON.stringify(json) : formatText())
  }
}
