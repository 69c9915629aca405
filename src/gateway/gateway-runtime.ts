import { toBase64 } from '../wire/base64.ts'
import { isEqualJson } from '../wire/json.ts'
import { printError } from '../wire/print-error.ts'
import { toTypedError } from '../wire/typed-errors.ts'
import { ConfigUseCounter } from './config-use-counter.ts'
import type { GatewayConfig, RecordingOptions } from './config.ts'
import type { GatewayLogEntry } from './log-entry.ts'
import { GatewayMetrics } from './metrics/gateway-metrics.ts'
import { ConversationRecorder } from './recording/conversation-recorder.ts'
import { type GatewayState, InProcessGatewayState } from './state/gateway-state.ts'
import { Sealer } from './state/sealer.ts'
import type { UpstreamGuard } from './upstream-guard.ts'

/** What the handlers of requests share. */
export interface GatewayServices {
  readonly state: GatewayState
  /** True if other programs can read the state, so that it gets sealed values only. */
  readonly isStateShared: boolean
  readonly sealer: Sealer
  /** The guards of the targets in the configuration. */
  readonly guards: Map<string, UpstreamGuard>
  /** The number of running requests by the name of the client. */
  readonly active: Map<string, number>
  /** Called when a request arrives; the result must be called once, when its answer has ended. */
  readonly start: () => (entry: GatewayLogEntry) => void
  readonly metrics: GatewayMetrics
  /** Absent if nothing is recorded. */
  readonly recorder?: ConversationRecorder
  /** The requests that use the configuration. */
  readonly usage: ConfigUseCounter
  readonly isReady: () => boolean
  readonly onError: (error: unknown) => void
}

const SEAL_KEY_BYTES = 32

/** Keeps what outlives a configuration: state, failures of upstreams, running requests. */
export class GatewayRuntime {
  readonly #ownState = new InProcessGatewayState()
  readonly #ownSealKey = toBase64(crypto.getRandomValues(new Uint8Array(SEAL_KEY_BYTES)))
  readonly #active = new Map<string, number>()
  readonly #metrics = new GatewayMetrics({
    guards: () => this.#guards,
    countActive: () => this.#activeCount,
  })
  readonly #recorders = new Set<ConversationRecorder>()
  #guards = new Map<string, UpstreamGuard>()
  #activeCount = 0
  #isClosing = false
  #endWaiting: (() => void) | undefined
  #closed: Promise<void> | undefined
  #config: GatewayConfig | undefined
  #usage: ConfigUseCounter | undefined

  /** Returns the services of a configuration, with everything that it has in common with the one before. */
  configure(config: GatewayConfig): GatewayServices {
    const { state, sealKeys, onRequest = () => {}, recording } = config
    const onError = (error: unknown): void => reportError(config.onError, error)
    if (!hasSameGuards(this.#config, config)) this.#guards = new Map()
    const recorder = recording && this.#addRecorder(recording, onError)
    const usage = new ConfigUseCounter(() => void retire(config, recorder).catch(onError))
    this.#usage?.replace()
    this.#config = config
    this.#usage = usage
    return {
      state: state ?? this.#ownState,
      isStateShared: state !== undefined,
      sealer: new Sealer(sealKeys ?? [this.#ownSealKey]),
      guards: this.#guards,
      active: this.#active,
      start: () => {
        this.#activeCount += 1
        return (entry) => {
          this.#activeCount -= 1
          this.#metrics.addRequest(entry)
          if (this.#activeCount === 0) this.#endWaiting?.()
          onRequest(entry)
        }
      },
      metrics: this.#metrics,
      ...(recorder && { recorder }),
      usage,
      isReady: () => !this.#isClosing,
      onError,
    }
  }

  #addRecorder(recording: RecordingOptions, onError: (error: unknown) => void): ConversationRecorder {
    // Recorders of earlier configurations are kept while they write.
    for (const earlier of this.#recorders) if (earlier.isIdle) this.#recorders.delete(earlier)
    const recorder = new ConversationRecorder(recording, onError)
    this.#recorders.add(recorder)
    return recorder
  }

  /** Waits until running answers have ended and everything is recorded. */
  close(): Promise<void> {
    this.#isClosing = true
    return (this.#closed ??= this.#waitForEnd())
  }

  async #waitForEnd(): Promise<void> {
    if (this.#activeCount > 0) await new Promise<void>((resolve) => (this.#endWaiting = resolve))
    await Promise.all([...this.#recorders].map((recorder) => recorder.flush()))
  }
}

function hasSameGuards(before: GatewayConfig | undefined, after: GatewayConfig): boolean {
  return (
    isEqualJson(before?.circuit ?? {}, after.circuit ?? {}) &&
    isEqualJson(before?.retryBudget ?? {}, after.retryBudget ?? {})
  )
}

/** Says that a configuration is no longer used, when its conversations are recorded. */
async function retire(
  { onRetired }: GatewayConfig,
  recorder: ConversationRecorder | undefined,
): Promise<void> {
  await recorder?.flush()
  onRetired?.()
}

/** Reports an error that does not end an answer. */
function reportError(onError: GatewayConfig['onError'] = printError, error: unknown): void {
  try {
    onError(toTypedError(error))
  } catch {
    // The report is not part of the answer.
  }
}
