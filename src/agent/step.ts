import type { AssistantMessage, Finish } from '../canonical/model/message.ts'
import type { Cost, Model } from '../canonical/model/model-interface.ts'
import { addUsage, type Usage } from '../canonical/model/usage.ts'

/** One call of the model within a run. */
export interface Step {
  readonly provider: string
  readonly model: string
  readonly usage?: Usage
  readonly cost?: Cost
  readonly finish?: Finish
  /** The name of the tool inside of which an agent made this step. */
  readonly tool?: string
}

interface ModelCallFacts {
  readonly message?: AssistantMessage
  readonly usage?: Usage
  readonly cost?: Cost
}

/** A call of the model, as a step of a run. */
export function toStep({ provider, name }: Model, { message, usage, cost }: ModelCallFacts): Step {
  return {
    provider,
    model: name,
    ...(usage && { usage }),
    ...(cost && { cost }),
    ...(message?.finish && { finish: message.finish }),
  }
}

export function sumUsage(steps: readonly Step[]): Usage {
  return addUsage(...steps.flatMap(({ usage }) => usage ?? []))
}

/** The sum of all prices; none where a step has no price, or another currency. */
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
