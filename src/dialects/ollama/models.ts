import type { ModelFamilies } from '../models.ts'

/** The server gives each model what it takes and passes over the rest; what a model can do, only the server knows. */
export const families: ModelFamilies = []
