import type { ModelCapabilities } from '../../client/model.ts'
import type { OutputFormat } from '../output/format.ts'
import { nativeOutput } from './native-output.ts'
import type { Orchestrator } from './orchestrator.ts'
import { returnResult } from './return-result.ts'
import { toolLoop } from './tool-loop.ts'
import { twoPhases } from './two-phases.ts'

/** What decides how a run is carried. */
export interface Needs {
  readonly hasTools: boolean
  readonly output?: OutputFormat
  readonly capabilities: ModelCapabilities
}

/**
 * The orchestrator that fits: the plain loop without a schema; with one, whatever the model can: schema and tools at once, one
 * after the other, or a tool that takes the result.
 */
export function selectOrchestrator({ hasTools, output, capabilities }: Needs): Orchestrator {
  if (output === undefined) return toolLoop
  const { tools = true, outputSchema = true, outputWithTools = true } = capabilities
  if (!outputSchema && tools) return returnResult(output)
  return hasTools && tools && !outputWithTools ? twoPhases(output) : nativeOutput(output)
}
