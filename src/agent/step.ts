import type { AssistantMessage, Finish } from '../canonical/model/message.ts'
import type { Cost, Model } from '../canonical/model/model-interface.ts'
import { omitUndefined } from '../wire/json.ts'
import { addUsage, type Usage } from '../canonical/model/usage.ts'

/** One model call within a run. */
export interface Step {
  readonly provider: string
  readonly model: string
  readonly usage?: Usage
  readonly cost?: Cost
  readonly finish?: Finish
  /** For a step of a nested agent: the name of the tool that runs the agent. */
  readonly tool?: string
}

/** Returns the step of a model call. */
export function createModelCallStep(
  { provider, name }: Model,
  { message, usage, cost }: Pick<Step, 'usage' | 'cost'> & { readonly message?: AssistantMessage },
): Step {
  return { provider, model: name, ...omitUndefined({ usage, cost, finish: message?.finish }) }
}

export function sumUsage(steps: readonly Step[]): Usage {
  return addUsage(...steps.flatMap(({ usage }) => usage ?? []))
}

/** Returns the total cost; undefined if a step has no price or a different currency. */
export function sumCost(steps: readonly Step[]): Cost | undefined {
  const [first, ...rest] = steps.map(({ cost }) => cost)
  return rest.reduce<Cost | undefined>(
    (sum, each) =>
      sum !== undefined && each?.currency === sum.currency
        ? { ...sum, amount: sum.amount + each.amount }
        : undefined,
    first,
  )
}
