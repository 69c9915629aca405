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
  /** The action for content that the target cannot express. */
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
  return createReportingContext(target, options, direction, facts, (rule, path) =>
    onLoss(createLoss(getDialectLossRules(), rule, path, target)),
  )
}

function createReportingContext(
  target: LossTarget,
  options: EncodeOptions,
  direction: BodyKind,
  facts: Capabilities,
  report: EncodeContext['report'],
): EncodeContext {
  return {
    options,
    facts,
    policy: resolvePolicy(options, direction),
    reject: (rule, path) => {
      throw createContentRejectedError(createLoss(getDialectLossRules(), rule, path, target))
    },
    report,
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
  if (options.onLoss !== undefined && options.onLoss !== 'allow') {
    const losses: Loss[] = []
    const onLoss = createLossCollector(losses, options)
    const value = encode(createEncodeContext(dialect, options, direction, onLoss), (known) =>
      known.forEach(onLoss),
    )
    return Object.freeze({ value, losses: Object.freeze(losses) })
  }
  const target = { dialect, flavor: options.flavor }
  const found: FoundLosses[] = []
  const context = createReportingContext(target, options, direction, {}, (rule, path) => {
    found.push({ rule, path })
  })
  const value = encode(context, (known) => {
    if (known.length > 0) found.push({ known, count: known.length })
  })
  return createTranslation(value, found, target)
}

/** A reported loss, or the first losses of a list that may grow. */
type FoundLosses =
  | { readonly rule: DialectLossRule; readonly path: Path | undefined }
  | { readonly known: readonly Loss[]; readonly count: number }

/** The number of reported losses that are created at once, so that a result can be printed with its losses. */
const MAX_IMMEDIATE_LOSSES = 16

/** Creates a translation. Many losses are created or copied when `losses` is read first: a long conversation may have thousands. */
function createTranslation<T>(value: T, found: readonly FoundLosses[], target: LossTarget): Translation<T> {
  const isImmediate = found.length <= MAX_IMMEDIATE_LOSSES && found.every((each) => 'rule' in each)
  let all = isImmediate ? createLosses(found, target) : undefined
  if (all !== undefined) return Object.freeze({ value, losses: all })
  return Object.freeze({
    value,
    get losses(): readonly Loss[] {
      return (all ??= createLosses(found, target))
    },
  })
}

/** Returns the object with the losses of another one, which are not created if they were not read. */
export function withLossesOf<T extends object>(
  object: T,
  source: Pick<Translation<unknown>, 'losses'>,
): T & Pick<Translation<unknown>, 'losses'> {
  const losses = Object.getOwnPropertyDescriptor(source, 'losses')
  return Object.defineProperty(object, 'losses', { ...losses, configurable: true }) as T & typeof source
}

function createLosses(found: readonly FoundLosses[], target: LossTarget): readonly Loss[] {
  const losses = found.flatMap((each) =>
    'rule' in each
      ? createLoss(getDialectLossRules(), each.rule, each.path, target)
      : each.known.slice(0, each.count),
  )
  return Object.freeze(losses)
}

function isRefused(loss: Loss, { onLoss = 'allow' }: EncodeOptions): boolean {
  return (typeof onLoss === 'function' ? callCallback(() => onLoss(loss)) : onLoss) === 'error'
}
