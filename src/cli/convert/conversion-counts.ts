import type { Loss } from '../../canonical/model/loss.ts'
import type { ErrorDescription } from '../error-output.ts'
import type { BatchResult } from './convert-batch.ts'
import { type LossCount, LossCounter } from './loss-counter.ts'

/** The errors of one code: how many there are, and the first one. */
export interface FaultCount {
  readonly code: string
  readonly count: number
  readonly message: string
  readonly line?: number
}

/** Counts what a conversion converted, lost and could not read. The size does not depend on that of the input. */
export class ConversionCounts {
  readonly #losses = new LossCounter()
  readonly #faults = new Map<string, FaultCount>()
  convertedCount = 0
  faultCount = 0
  /** Losses without notes. */
  lossCount = 0

  addDocument(losses: readonly Loss[]): void {
    this.convertedCount++
    for (const loss of losses) this.#losses.add(loss)
    this.lossCount += losses.filter(({ severity }) => severity === 'loss').length
  }

  addBatch({ convertedCount, losses }: BatchResult, lineOffset: number): void {
    this.convertedCount += convertedCount
    this.#losses.addAll(losses, lineOffset)
    for (const { loss, count } of losses) if (loss.severity === 'loss') this.lossCount += count
  }

  addFault({ code, message }: ErrorDescription, line?: number): void {
    this.faultCount++
    const known = this.#faults.get(code)
    const first = { code, message, count: 1, ...(line !== undefined && { line }) }
    this.#faults.set(code, known === undefined ? first : { ...known, count: known.count + 1 })
  }

  get losses(): readonly LossCount[] {
    return this.#losses.toList()
  }

  get faults(): readonly FaultCount[] {
    return [...this.#faults.values()]
  }
}
