import { checkCodecOptions } from './check-codec-options.ts'
import { callCallback } from '../../wire/typed-errors.ts'
import { type DialectLossRule, getDialectLossRules } from '../../canonical/losses/loss-catalog.ts'
import {
  createContentRejectedError,
  createLoss,
  createLossRefusedError,
  type LossTarget,
} from '../../canonical/losses/create-loss.ts'
import type { Loss, Translation } from '../../canonical/model/loss.ts'
import { type Json, thawLists } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { DecodeOptions, EncodeOptions } from './dialect.ts'
import type { Capabilities } from '../../canonical/model/capabilities.ts'
import {
  type BodyKind,
  defaultRequestPolicy,
  type ResolvedPolicy,
  resolvePolicy,
} from './unsupported-policy.ts'

/** The options of one encoding and the function that reports its losses. */
export interface EncodeContext {
  readonly options: EncodeOptions
  /** The facts of the model that apply to the content of messages and to the fields of the body. */
  readonly facts: Capabilities
  /** What happens to content that the target cannot express. */
  readonly policy: ResolvedPolicy
  /** True for the encoder inside a decoder. */
  readonly findsResidue?: true
  /** Reports that a loss rule was applied at a path of the canonical value. */
  report(rule: DialectLossRule, path: Path | undefined): void
  /** Throws the error for content that the policy rejects; the rule states what would have been lost. */
  reject(rule: DialectLossRule, path: Path | undefined): void
}

/** A context without options that reports no losses, for the encoder inside a decoder. */
export const noReport: EncodeContext = {
  findsResidue: true,
  options: {},
  facts: {},
  policy: defaultRequestPolicy,
  report: () => {},
  reject: () => {},
}

/** Returns a context without reports for the flavor of the decoded body. */
export function createNoReport({ flavor }: DecodeOptions): EncodeContext {
  return flavor === undefined ? noReport : { ...noReport, options: { flavor } }
}

/** Returns a value that the conversation shares with the body: without frozen lists, unless the body is only compared. */
export function toBodyValue<T extends Json>(value: T, { findsResidue }: EncodeContext): T {
  return findsResidue === true ? value : thawLists(value)
}

/** Creates a context whose losses are passed to `onLoss`. */
export function createEncodeContext(
  dialect: string,
  options: EncodeOptions,
  direction: BodyKind,
  onLoss: (loss: Loss) => void,
  facts: Capabilities = {},
): EncodeContext {
  const target = { dialect, flavor: options.flavor }
  return {
    options,
    facts,
    policy: resolvePolicy(options, direction),
    reject: (rule, path) => {
      throw createContentRejectedError(createLoss(getDialectLossRules(), rule, path, target))
    },
    report: (rule, path) => onLoss(createLoss(getDialectLossRules(), rule, path, target)),
  }
}

/** Returns a function that collects losses and throws at a loss that the options refuse. */
export function createLossCollector(losses: Loss[], options: EncodeOptions): (loss: Loss) => void {
  return (loss) => {
    losses.push(loss)
    if (loss.severity === 'loss' && isRefused(loss, options)) throw createLossRefusedError(loss)
  }
}

/** Runs an encoder and collects its losses. `repeat` adds losses that were found by an earlier encoding. */
export function encodeWithLosses<T>(
  dialect: string,
  options: EncodeOptions,
  direction: BodyKind,
  encode: (context: EncodeContext, repeat: (known: readonly Loss[]) => void) => T,
): Translation<T> {
  checkCodecOptions(options)
  const losses: Loss[] = []
  const repeated: RepeatedLosses[] = []
  const onLoss = createLossCollector(losses, options)
  const canRefuse = options.onLoss !== undefined && options.onLoss !== 'allow'
  const value = encode(createEncodeContext(dialect, options, direction, onLoss), (known) => {
    if (canRefuse) known.forEach(onLoss)
    else if (known.length > 0) repeated.push({ known, count: known.length, position: losses.length })
  })
  return createTranslation(value, losses, repeated)
}

/** The first losses of a list that may grow, and their position among the losses of the encoding. */
interface RepeatedLosses {
  readonly known: readonly Loss[]
  readonly count: number
  readonly position: number
}

/** Creates a translation. Repeated losses are copied when `losses` is read first: a long conversation may have many. */
function createTranslation<T>(
  value: T,
  losses: readonly Loss[],
  repeated: readonly RepeatedLosses[],
): Translation<T> {
  if (repeated.length === 0) return Object.freeze({ value, losses: Object.freeze(losses) })
  let all: readonly Loss[] | undefined
  return Object.freeze({
    value,
    get losses(): readonly Loss[] {
      all ??= Object.freeze(insertRepeated(losses, repeated))
      return all
    },
  })
}

function insertRepeated(losses: readonly Loss[], repeated: readonly RepeatedLosses[]): Loss[] {
  let copied = 0
  const pieces = repeated.map(({ known, count, position }) => {
    const before = losses.slice(copied, position)
    copied = position
    return [before, known.slice(0, count)]
  })
  return [...pieces.flat(2), ...losses.slice(copied)]
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? callCallback(() => onLoss(loss)) : onLoss) === 'error'
}
