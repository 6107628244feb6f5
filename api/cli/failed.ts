/** A command could not do its work; the message is for whoever called it. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
}
