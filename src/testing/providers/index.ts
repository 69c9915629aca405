export type { RecordedAnswer } from './provider-answers.ts'
export type { Fault } from './faults.ts'
export { mockProvider } from './mock-provider.ts'
export type { MockProvider, MockProviderOptions, MockRequest } from './mock-provider.ts'
export { startMockServer } from './mock-server.ts'
export type { MockServer, MockServerOptions } from './mock-server.ts'
export { findRequestProblems } from '../rules/find-request-problems.ts'
export { requestRules } from '../rules/request-rules.ts'
export type { CheckRequestOptions } from '../rules/find-request-problems.ts'
export type {
  RequestProblem,
  RequestRule,
  RuleContext,
  Violation,
  WireObject,
} from '../rules/request-rule.ts'
