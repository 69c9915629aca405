import { createLoss } from '../../canonical/losses/create-loss.ts'
import { settingLossRules, toolLossRules } from '../../canonical/losses/request-loss-rules.ts'
import { buildLossRuleTable } from '../../canonical/losses/loss-rule-table.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { lazy } from '../../wire/memoize.ts'

const getLossRules = /* @__PURE__ */ lazy(() => buildLossRuleTable(settingLossRules, toolLossRules))

/** For each setting of a request, whether the models of another library have an option for it. */
export type SettingSupport = {
  readonly [name in keyof Required<Omit<ChatRequest, 'messages'>>]: boolean
}

/** Collects what a call of another library does not contain of a request. */
export class CallLosses {
  readonly list: Loss[]
  readonly #target: { readonly dialect: string }

  /** Starts with the losses of the messages; fields that only a store needs are not missing in a call. */
  constructor(library: string, messageLosses: readonly Loss[]) {
    this.#target = { dialect: library }
    this.list = messageLosses
      .filter(({ rule }) => rule !== 'message-field')
      .map((loss) => ({ ...loss, path: `/messages${loss.path}` }))
  }

  add(rule: 'no-field' | 'allowed-tools' | 'foreign-tool', path: Path): void {
    this.list.push(createLoss(getLossRules(), rule, path, this.#target))
  }

  /** Adds the settings of the request that have no option. */
  addSettings(request: ChatRequest, support: SettingSupport): void {
    for (const [name, isSupported] of Object.entries(support)) {
      const isOmitted = !isSupported && request[name as keyof ChatRequest] !== undefined
      if (isOmitted) this.add('no-field', child(undefined, name))
    }
  }

  /** Returns the names of the only tools that may be sent: the libraries have no list of allowed tools. */
  findAllowedTools({ toolChoice }: ChatRequest): ReadonlySet<string> | undefined {
    if (typeof toolChoice !== 'object' || !('allowed' in toolChoice)) return undefined
    this.add('allowed-tools', child(undefined, 'toolChoice'))
    return new Set(toolChoice.allowed)
  }
}
