import type { ModelCapabilities } from '../../canonical/model/capabilities.ts'
import type { OutputSpec } from '../output/output-spec.ts'
import { createNativeOutputOrchestrator } from './native-output.ts'
import type { Orchestrator } from './orchestrator.ts'
import { createReturnResultOrchestrator } from './return-result-tool.ts'
import { createTwoPhaseOrchestrator } from './two-phase-output.ts'
import { runTurn } from './run-turn.ts'

/** The loop that most runs need: ask, run the calls, ask again, until the model answers without calling. */
export const toolLoopOrchestrator: Orchestrator = {
  name: 'tool-loop',
  step: (run) =>
    runTurn(run, {
      onFinalReply: ({ message }, finish) => ({ messages: [message], shouldContinue: false, finish }),
    }),
}

/** What decides how a run is carried. */
export interface OrchestratorCriteria {
  readonly hasTools: boolean
  readonly output?: OutputSpec
  readonly capabilities: ModelCapabilities
}

/**
 * The orchestrator that fits: the plain loop without a schema; with one, whatever the model can: schema and tools at once, one
 * after the other, or a tool that takes the result.
 */
export function selectOrchestrator({ hasTools, output, capabilities }: OrchestratorCriteria): Orchestrator {
  if (output === undefined) return toolLoopOrchestrator
  const { supportsTools = true, supportsOutputSchema = true, supportsOutputWithTools = true } = capabilities
  if (!supportsOutputSchema && supportsTools) return createReturnResultOrchestrator(output)
  return hasTools && supportsTools && !supportsOutputWithTools
    ? createTwoPhaseOrchestrator(output)
    : createNativeOutputOrchestrator(output)
}
