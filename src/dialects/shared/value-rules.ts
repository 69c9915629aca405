import type { EncodeOptions } from '../engine/dialect.ts'
import type { ValueRules } from '../engine/simple-message-reader.ts'
import { type CallIdRule, fitCallId } from './call-ids.ts'
import { isValidToolName, type ToolNameRule } from './tool-names.ts'

/** The rules of a provider for the ids, names and arguments of calls. */
interface CallRules extends Pick<ValueRules, 'slot' | 'writesResultName' | 'keepsArguments'> {
  readonly toolNameRule?: ToolNameRule
  readonly getCallIdRule?: (options: EncodeOptions) => CallIdRule
}

/** Creates the rules for the values of simple messages from those of the provider for calls. */
export function createValueRules({ toolNameRule, getCallIdRule, ...others }: CallRules): ValueRules {
  return {
    ...others,
    ...(getCallIdRule && { fitCallId: (id, { options }) => fitCallId(id, getCallIdRule(options)) }),
    ...(toolNameRule && { keepsToolName: (name) => isValidToolName(name, toolNameRule) }),
  }
}
