import { InterlinguaError, type Message, type Translation } from 'interlingua'
import { expect } from 'vitest'
import { traced, vanished } from '../dialects/find-lost-values.ts'
import { bare } from '../dialects/json-leaves.ts'
import { again, expectSame } from '../law-assertions.ts'

/** A format that reads and writes messages. */
interface WritableFormat {
  fromMessages(input: unknown): Translation<readonly Message[]>
  toMessages(messages: readonly Message[]): Translation<readonly unknown[]>
}

/** Checks that what a format does not write is among its losses, and that it reads what it writes. */
export function expectOmissionsReported(format: WritableFormat, generated: readonly Message[]): void {
  const given = traced(bare(again(generated) as Message[]))
  const { value, losses } = format.toMessages(given)
  const back = format.fromMessages(again(value)).value
  expect(vanished(given, back, losses)).toEqual([])
  expectSame(again(format.toMessages(back).value), again(value))
}

/** Checks that input is read, or refused with a code, a path and what was expected. */
export function expectReadOrRefused(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof InterlinguaError)) throw error
    expect(error.code, error.stack).not.toBe('internal')
    expect([typeof error.path, typeof error.expected]).toEqual(['string', 'string'])
  }
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
}
