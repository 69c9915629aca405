import { toBase64 } from '../wire/base64.ts'
import { isEqualJson } from '../wire/json.ts'
import { toTypedError } from '../wire/internal-error.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayLogEntry } from './log-entry.ts'
import { type GatewayState, InProcessState } from './state/gateway-state.ts'
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
  readonly log: (entry: GatewayLogEntry) => void
  readonly onError: (error: unknown) => void
}

const SEAL_KEY_BYTES = 32

/** Keeps what outlives a configuration: state, failures of upstreams, running requests. */
export class GatewayRuntime {
  readonly #ownState = new InProcessState()
  readonly #ownSealKey = toBase64(crypto.getRandomValues(new Uint8Array(SEAL_KEY_BYTES)))
  readonly #active = new Map<string, number>()
  #guards = new Map<string, UpstreamGuard>()
  #config: GatewayConfig | undefined

  /** Returns the services of a configuration, with everything that it has in common with the one before. */
  configure(config: GatewayConfig): GatewayServices {
    const { state, sealKeys, onRequest = () => {}, onError } = config
    if (!hasSameGuards(this.#config, config)) this.#guards = new Map()
    this.#config = config
    return {
      state: state ?? this.#ownState,
      isStateShared: state !== undefined,
      sealer: new Sealer(sealKeys ?? [this.#ownSealKey]),
      guards: this.#guards,
      active: this.#active,
      log: onRequest,
      onError: (error) => reportError(onError, error),
    }
  }
}

function hasSameGuards(before: GatewayConfig | undefined, after: GatewayConfig): boolean {
  return (
    isEqualJson(before?.circuit ?? {}, after.circuit ?? {}) &&
    isEqualJson(before?.retryBudget ?? {}, after.retryBudget ?? {})
  )
}

/** Reports an error that does not end an answer. */
function reportError(onError: GatewayConfig['onError'], error: unknown): void {
  try {
    onError?.(toTypedError(error))
  } catch {
    // The report is not part of the answer.
  }
}
