#!/usr/bin/env node
import { threadsLoaded } from '../workers/loading.js'
import { CommandFailed } from './cli/failed.js'
import { createProgram } from './cli/program.js'
import { ApiError, BadSetting } from './config/errors.js'
import { StoreRefused, StoreUnavailable } from './store/store.js'

/** The command line. Exit codes: 0 done, 1 failed (the text says why), 2 used wrongly. */
const program = createProgram()
exitAsSaid(program)

try {
  await program.parseAsync()
} catch (error) {
  if (isForTheOperator(error)) {
    const { message, cause } = error as Error
    // What a client is told does not say why; who runs the command wants to know.
    const why = error instanceof ApiError && cause instanceof Error ? ` ${cause.message}` : ''
    process.stderr.write(`edgewright: ${message}${why}\n`)
    await threadsLoaded()
    process.exit(1)
  }
  throw error
}

/** What the operator can mend, a full disk or a folder without rights included; the rest is a fault of the program. */
function isForTheOperator(error: unknown): boolean {
  const isOfTheSystem = error instanceof Error && 'syscall' in error
  return (
    isOfTheSystem ||
    [ApiError, CommandFailed, BadSetting, StoreRefused, StoreUnavailable].some((kind) => error instanceof kind)
  )
}

/** A command inherits what is said of the program only when it is made after it. */
function exitAsSaid(command: typeof program): void {
  command.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
  for (const one of command.commands) exitAsSaid(one)
}
