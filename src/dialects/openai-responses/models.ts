import type { ModelFamilies } from '../models.ts'
import { openaiFamilies } from '../shared/openai-models.ts'

/** What OpenAI says of its models. */
export const families: ModelFamilies = openaiFamilies({ sampling: ['temperature', 'topP', 'logprobs'] })
