import type { Loss } from '../../canonical/model/loss.ts'
import { Exit, type ExitName } from '../exit-codes.ts'
import { exitOf, failureJson, hintOf, reasonOf } from '../failure.ts'
import { type Paint, paintFor, printable } from '../paint.ts'
import { table } from '../table.ts'
import { tell, type Terminal } from '../terminal.ts'

/** Where something stood. */
export interface Place {
  readonly file: string
  readonly line?: number
}

interface Tallied extends Omit<Loss, 'path'> {
  count: number
}

/** What a conversion has to say beside its result: losses, faults and a summary, on standard error. */
export class Report {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #paint: Paint
  readonly #tally = new Map<string, Tallied>()
  #converted = 0
  #faults = 0
  #worst: ExitName = 'ok'

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.#json = json
    this.#paint = paintFor(terminal, terminal.stderr)
  }

  /** Something was converted; its losses are counted, and told one by one where there is only one thing. */
  async converted(losses: readonly Loss[], each: boolean): Promise<void> {
    this.#converted++
    for (const loss of losses) {
      const { path: _path, ...rest } = loss
      const tallied = this.#tally.get(loss.rule) ?? { ...rest, count: 0 }
      tallied.count++
      this.#tally.set(loss.rule, tallied)
      if (each) await this.#line({ type: loss.severity, ...loss }, () => this.#lossLine(loss))
    }
  }

  #lossLine({ severity, rule, path, reason }: Loss): string {
    return `${this.#severity(severity)}  ${rule} at ${printable(path)}: ${reason}`
  }

  #severity(severity: Loss['severity']): string {
    return this.#paint(severity === 'loss' ? 'yellow' : 'dim', severity)
  }

  /** Something was not converted: where it stood, and why. */
  async fault({ file, line }: Place, error: unknown): Promise<void> {
    this.#faults++
    const exit = exitOf(error)
    if (this.#worst === 'ok' || exit === 'input') this.#worst = exit
    const place = line === undefined ? file : `${file}:${line}`
    await this.#line({ type: 'fault', file, ...(line && { line }), ...failureJson(error) }, () =>
      [`${this.#paint('red', place)}: ${reasonOf(error)}`, hintOf(error)].filter(Boolean).join('. '),
    )
  }

  /** Something to know that is neither. */
  async remark(text: string): Promise<void> {
    await this.#line({ type: 'remark', text }, () => this.#paint('dim', text))
  }

  /** The end of a conversion in bulk. */
  async summary(): Promise<void> {
    const losses = [...this.#tally.values()].toSorted((a, b) => b.count - a.count)
    const counts = { converted: this.#converted, faults: this.#faults }
    await this.#line({ type: 'summary', ...counts, losses }, () =>
      [
        ...table(
          losses.map(({ count, severity, rule, reason }) => [
            String(count),
            this.#severity(severity),
            rule,
            reason,
          ]),
        ),
        `${this.#converted} converted${this.#faults > 0 ? `, ${this.#faults} not` : ''}`,
      ].join('\n'),
    )
  }

  /** Ends the command as the worst fault says. */
  end(): void {
    if (this.#worst !== 'ok') throw new Exit(this.#worst)
  }

  #line(json: object, words: () => string): Promise<void> {
    return tell(this.#terminal, this.#json ? JSON.stringify(json) : words())
  }
}
