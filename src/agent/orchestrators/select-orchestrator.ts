import type { ModelCapabilities } from '../../canonical/model/capabilities.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { createNativeOutputOrchestrator, createTwoPhaseOrchestrator } from './json-output.ts'
import type { Orchestrator } from './orchestrator.ts'
import { createReturnResultOrchestrator } from './return-result-tool.ts'
import { runTurn } from './run-turn.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Calls the model and runs its tool calls until it responds without any. */
const toolLoopOrchestrator: Orchestrator = {
  name: 'tool-loop',
  step: (run) =>
    runTurn(run, {
      onFinalReply: ({ message }, finish) => ({ messages: [message], shouldContinue: false, finish }),
    }),
}

/** The facts that decide which orchestrator a run uses. */
export interface OrchestratorCriteria {
  readonly hasTools: boolean
  readonly output?: OutputSpec
  readonly capabilities: ModelCapabilities
}

/**
 * Returns the orchestrator for a run. Without an output schema it is the tool loop; with one it depends on
 * the model: schema and tools together, tools first and then the schema, or a tool that returns the result.
 *
 * @example
 * selectOrchestrator({ hasTools: true, capabilities: model.capabilities }).name // 'tool-loop'
 */
export function selectOrchestrator(criteria: OrchestratorCriteria): Orchestrator {
  return withTypedErrors(() => {
    const { hasTools, output, capabilities } = criteria
    if (output === undefined) return toolLoopOrchestrator
    const { supportsTools = true, supportsOutputSchema = true, supportsOutputWithTools = true } = capabilities
    if (!supportsOutputSchema && supportsTools) return createReturnResultOrchestrator(output)
    return hasTools && supportsTools && !supportsOutputWithTools
      ? createTwoPhaseOrchestrator(output)
      : createNativeOutputOrchestrator(output)
  }, [criteria])
}
