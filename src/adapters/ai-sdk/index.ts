export { fromLanguageModel, type FromLanguageModelOptions } from './from-language-model.ts'
export { toLanguageModel, type ToLanguageModelOptions } from './to-language-model.ts'
export { type UIMessageHistory, uiMessageHistory } from './ui-message-history.ts'
