import type { Loss } from '../canonical/model/loss.ts'
import type { ChatRequest } from '../canonical/model/request.ts'
import type { Tool, ToolChoice } from '../canonical/model/tool.ts'
import { stated } from '../wire/json.ts'
import { ownSteps } from './limits.ts'
import type { RequestSettings } from './options.ts'
import type { AskOptions, Run } from './orchestrators/orchestrator.ts'

const NO_TOOLS: Loss = Object.freeze({
  path: '/tools',
  action: 'dropped',
  severity: 'loss',
  rule: 'agent-no-tools',
  reason: 'The model cannot call tools.',
})

interface RequestParts {
  readonly run: Run
  readonly tools: readonly Tool[]
  readonly settings: RequestSettings
  readonly changes: NonNullable<AskOptions['request']>
  readonly lose: (loss: Loss) => void
}

/** The request that asks the model to go on with a run. */
export function requestOf({ run, tools, settings, changes, lose }: RequestParts): ChatRequest {
  const able = run.model.capabilities.tools !== false
  if (!able && tools.length > 0) lose(NO_TOOLS)
  const offered = able && tools.length > 0
  const { toolChoice, ...rest } = settings
  // A choice that forces a call would force one in every step, and the run would never end.
  const choice = ownSteps(run.steps) > 0 && isForced(toolChoice) ? undefined : toolChoice
  const request = {
    ...rest,
    ...(offered && { tools }),
    ...(offered && choice !== undefined && { toolChoice: choice }),
    ...changes,
    messages: run.conversation,
  }
  return { ...stated(request), messages: run.conversation }
}

function isForced(choice: ToolChoice | undefined): boolean {
  if (typeof choice !== 'object') return choice === 'required'
  return 'name' in choice || choice.mode === 'required'
}
