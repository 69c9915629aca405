import type { Messages } from '../canonical/collections/messages.ts'
import { createLoss } from '../canonical/losses/create-loss.ts'
import { agentLossRules } from '../canonical/losses/ui-sanitize-agent-loss-rules.ts'
import { buildLossRuleTable } from '../canonical/losses/loss-rule-table.ts'
import { child } from '../wire/json-pointer.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import { isForcedToolChoice, type Tool } from '../canonical/model/tool.ts'
import type { Model } from '../canonical/model/model-interface.ts'
import { omitUndefined } from '../wire/json.ts'
import type { RequestSettings } from './options.ts'
import type { ModelCallOptions } from './orchestrators/orchestrator.ts'

interface RequestInput {
  readonly model: Model
  readonly messages: Messages
  /** True for the first request of a run. */
  readonly isFirst: boolean
  readonly tools: readonly Tool[]
  readonly settings: RequestSettings
  readonly changes: NonNullable<ModelCallOptions['request']>
  readonly onLoss: (loss: Loss) => void
}

/** Builds the request for the next step of a run. */
export function buildStepRequest({ model, messages, isFirst, ...parts }: RequestInput): ChatRequest {
  const { tools, settings, changes, onLoss } = parts
  const supportsTools = model.capabilities.supportsTools !== false
  if (!supportsTools && tools.length > 0)
    onLoss(
      createLoss(buildLossRuleTable(agentLossRules), 'agent-no-tools', child(undefined, 'tools'), {
        dialect: model.provider,
      }),
    )
  const hasTools = supportsTools && tools.length > 0
  const { toolChoice, ...rest } = settings
  // A forced tool choice applies to the first step only: it would force a call in every step, and the run
  // would never end.
  const choice = !isFirst && isForcedToolChoice(toolChoice) ? undefined : toolChoice
  const request = {
    ...rest,
    ...(hasTools && { tools }),
    ...(hasTools && choice !== undefined && { toolChoice: choice }),
    ...changes,
  }
  return { ...omitUndefined(request), messages }
}
