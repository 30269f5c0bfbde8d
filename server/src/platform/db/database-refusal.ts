/** Why a database cannot be used, in words for the person who starts the server. The message is complete: it is printed without a stack. */
export class DatabaseRefusal extends Error {
  override name = 'DatabaseRefusal'
}
