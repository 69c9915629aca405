import type { Messages } from '../canonical/collections/messages.ts'
import { createLoss } from '../canonical/losses/loss.ts'
import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Tool, ToolChoice } from '../canonical/model/tool.ts'
import type { Model } from '../client/model.ts'
import { stated } from '../wire/json.ts'
import type { RequestSettings } from './options.ts'
import type { AskOptions } from './orchestrators/orchestrator.ts'

interface RequestParts {
  readonly model: Model
  readonly messages: Messages
  /** Whether it is the first of its run. */
  readonly first: boolean
  readonly tools: readonly Tool[]
  readonly settings: RequestSettings
  readonly changes: NonNullable<AskOptions['request']>
  readonly lose: (loss: Loss) => void
}

/** The request that asks the model to go on with a run. */
export function requestOf({ model, messages, first, ...parts }: RequestParts): ChatRequest {
  const { tools, settings, changes, lose } = parts
  const able = model.capabilities.tools !== false
  if (!able && tools.length > 0) lose(createLoss('agent-no-tools', '/tools', { dialect: model.provider }))
  const offered = able && tools.length > 0
  const { toolChoice, ...rest } = settings
  // A choice that forces a call would force one in every step, and the run would never end.
  const choice = !first && isForced(toolChoice) ? undefined : toolChoice
  const request = {
    ...rest,
    ...(offered && { tools }),
    ...(offered && choice !== undefined && { toolChoice: choice }),
    ...changes,
  }
  return { ...stated(request), messages }
}

function isForced(choice: ToolChoice | undefined): boolean {
  if (typeof choice !== 'object') return choice === 'required'
  return 'name' in choice || choice.mode === 'required'
}
