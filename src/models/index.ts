// The package entry `interlingua/models`: what each model accepts.
export type {
  Capabilities,
  ModelCapabilities,
  RefusableFeature,
  RefusableSetting,
  ThinkingMode,
} from '../canonical/model/capabilities.ts'
export { effortBudgets, findNearestEffort, toEffort } from './effort-budgets.ts'
export { findModelFamily, modelFamilies } from './find-model-family.ts'
export type { ModelFamily, ModelVendor } from './model-family.ts'
