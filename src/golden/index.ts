export { listGoldenCases, loadGoldenCase } from './load-golden.ts'
export type {
  GoldenCaseBase,
  GoldenCaseInfo,
  GoldenCases,
  GoldenError,
  GoldenErrorResponse,
  GoldenIndex,
  GoldenKind,
  GoldenLoss,
  GoldenRequest,
  GoldenRequestBody,
  GoldenResponse,
  GoldenResponseBody,
  GoldenStream,
  GoldenTarget,
  GoldenTranslation,
} from './golden-types.ts'
