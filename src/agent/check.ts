import { InterlinguaError } from '../errors.ts'
import { describe, isObject } from '../wire/json.ts'
import { checkLimits } from './limits.ts'
import { checkNumbers } from '../wire/numbers.ts'
import type { AgentOptions } from './options.ts'
import { ToolSet } from './tools/tool-set.ts'

/** Refuses what would fail only when it is used: a mistake of the caller is told at once. */
export function checkAgent(options: AgentOptions): void {
  const { model, tools = [], concurrency, toolTimeout, outputRetries, limits } = options
  checkModel(model)
  new ToolSet(tools)
  checkNumbers('', { concurrency }, 1)
  checkNumbers('', { toolTimeout, outputRetries })
  checkLimits(limits)
}

function checkModel(model: unknown): void {
  if (isObject(model) && typeof model['generate'] === 'function') return
  throw new InterlinguaError('missing-field', 'The agent has no model', {
    path: '/model',
    found: typeof model === 'string' ? 'the name of a model' : describe(model),
    expected: 'a model',
    hint: "Make one of its name: new Agent({ model: model('provider:name') }).",
  })
}
