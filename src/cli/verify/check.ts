import { validate } from '../../canonical/check/validate.ts'
import type { Loss, Translated } from '../../canonical/model/loss.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { DialectName } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/translate.ts'
import { InterlinguaError } from '../../errors.ts'
import { equalJson } from '../../wire/json.ts'
import { writeContent } from '../convert/write.ts'
import { reasonOf } from '../failure.ts'
import { type Content, messagesOf, readDocument } from '../input/document.ts'
import { spoken } from './spoken.ts'
import type { RuleId } from './rules.ts'

/** What one crossing gave: what was lost, what is broken, or that it was refused by name. */
export interface Crossing {
  readonly to: DialectName
  readonly losses: readonly Loss[]
  readonly broken: readonly (readonly [rule: RuleId, detail: string])[]
  readonly refused?: string
}

const NAMES = Object.keys(dialects) as readonly DialectName[]

/** A document read and written in every format. */
export function crossAll(
  content: Content,
  from: DialectName | undefined,
  wire: unknown,
): readonly Crossing[] {
  return NAMES.map((to) => {
    try {
      const written = writeContent(content, { to })
      const broken = to === from ? ownFaults(written, wire) : crossFaults(content, to, written)
      return { to, losses: written.losses, broken }
    } catch (error) {
      // What only a provider's server holds is refused by name: that is a promise kept, not one broken.
      if (error instanceof InterlinguaError) return { to, losses: [], broken: [], refused: error.code }
      return { to, losses: [], broken: [['readable', reasonOf(error)]] }
    }
  })
}

function ownFaults({ value, losses }: Translated<unknown>, wire: unknown): Crossing['broken'] {
  return [
    ...(equalJson(value, wire) ? [] : [['own-exact', 'another JSON'] as const]),
    ...losses.slice(0, 1).map(({ rule, path }) => ['own-lossless', `${rule} at ${path}`] as const),
  ]
}

/** What is wrong with a document as it was written in another format. */
export function crossFaults(
  content: Content,
  to: DialectName,
  written: Translated<unknown>,
): Crossing['broken'] {
  const kind = content.kind === 'response' ? 'response' : 'request'
  let back: Content
  try {
    back = readDocument(written.value, { from: to, kind }).content
  } catch (error) {
    return [['readable', reasonOf(error)]]
  }
  const again = writeContent(back, { to })
  const faults = kind === 'request' ? newProblems(messagesOf(content), messagesOf(back), to) : []
  const silent = written.losses.length === 0 && spoken(messagesOf(content)) !== spoken(messagesOf(back))
  return [
    ...(equalJson(again.value, written.value) ? [] : [['stable', 'another JSON'] as const]),
    ...faults.slice(0, 1).map((fault) => ['accepted', fault] as const),
    ...(silent ? [['told', 'other words, and nothing told'] as const] : []),
  ]
}

/** The rules of the target that the written conversation breaks, where the one that was read broke none. */
function newProblems(
  before: readonly Message[],
  after: readonly Message[],
  to: DialectName,
): readonly string[] {
  const isBroken = validate(before).some(({ severity }) => severity === 'error')
  if (isBroken) return []
  return validate(after, dialects[to])
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, path }) => `${rule} at ${path}`)
}
