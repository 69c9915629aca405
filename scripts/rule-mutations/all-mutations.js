// @ts-check
// All changes that break a rule.
import { canonicalMutations } from './canonical-mutations.js'
import { collectionMutations } from './collection-mutations.js'
import { dialectMutations } from './dialect-mutations.js'
import { incidentMutations } from './incident-mutations.js'
import { parseMutations } from './parse-mutations.js'
import { productMutations } from './product-mutations.js'
import { turnDialectMutations } from './turn-dialect-mutations.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const mutations = [
  ...canonicalMutations,
  ...parseMutations,
  ...collectionMutations,
  ...dialectMutations,
  ...turnDialectMutations,
  ...productMutations,
  ...incidentMutations,
]
