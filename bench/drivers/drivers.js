// @ts-check
// The libraries that the benchmarks compare with: clients, which send requests, and translators of bodies.
import { aiSdk } from './ai-sdk.js'
import { langchain } from './langchain.js'
import { piAi } from './pi-ai.js'
import { tanstack } from './tanstack.js'
import { lingua, llmBridge, llmMessages, llmProtocol } from './translators.js'

export const clients = [aiSdk, langchain, tanstack, piAi]
export const translators = [llmBridge, llmMessages, llmProtocol, lingua]
