// @ts-check

/**
 * What differs from errors in the form { error: { message, type } }.
 *
 * @type {NonNullable<import('interlingua/dialects/kit').BlockFormat['errors']>}
 */
export const errors = {
  idHeader: 'x-request-id', // TODO: the header that contains the id of a request
  codeKinds: [
    // TODO: the codes of the provider, and the kind of error that each means
    ['insufficient_balance', 'quota'],
  ],
}
