#!/usr/bin/env node
import { Command, Option } from 'commander'
import { threadsLoaded } from '../workers/loading.js'
import { endEarly } from './cli/early.js'
import { CommandFailed } from './cli/failed.js'
import { ApiError, BadSetting } from './config/errors.js'
import { productVersion } from './config/packageRoot.js'
import { StoreRefused, StoreUnavailable } from './store/store.js'

/** The command line. Exit codes: 0 done, 1 failed (the text says why), 2 used wrongly. */
const program = new Command('edgewright')
  .description('The API on which a CDN is operated, with a config compiler inside.')
  .version(productVersion)
  .showHelpAfterError('Run with --help for what there is.')
  .addHelpText(
    'after',
    `
Settings come from the environment: HOST, PORT, MONGODB_URI or DATA_DIR, ADMIN_USERNAME, ADMIN_PASSWORD,
SESSION_SECRET, VAULT_KEY, WORKERS, CACHE_MB, LOG_LEVEL, ACCESS_LOG, SHUTDOWN_SECONDS, TRUST_PROXY, PUBLIC_URL,
SECURE_COOKIES, METRICS_TOKEN, SMTP_URL. The README says what each is for.`,
  )
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

program
  .command('serve')
  .description('serve the API until SIGTERM or SIGINT')
  .action(async () => {
    const early = endEarly()
    await (await import('./cli/serve.js')).serveCommand(early)
  })

program
  .command('demo')
  .description('load the sample CDN into an empty store, compile the whole fleet to ./out, serve the API')
  .option('--once', 'exit after compiling')
  .option('--out <dir>', 'where the files go', 'out')
  .action(lazily(async () => (await import('./cli/demo.js')).demoCommand))

program
  .command('import')
  .description('import a document of records: all of it is checked, then written in one commit')
  .argument('<file>', 'a JSON document, or - for standard input')
  .option('--dry-run', 'check only')
  .action(lazily(async () => (await import('./cli/transfer.js')).importCommand))

program
  .command('export')
  .description('export every record as one document that `import` takes')
  .argument('<file>', 'where to write it, or - for standard output')
  .option('--secrets', 'include password hashes and ids, and keys and other secrets as they are sealed')
  .option('--ids', 'say the id of every record; an import into an empty store keeps them')
  .action(lazily(async () => (await import('./cli/transfer.js')).exportCommand))

program
  .command('doctor')
  .description('say everything that would keep the CDNs from serving, each with what to do')
  .option('--cdn <name>', 'only this CDN')
  .option('--json', 'as JSON: findings by CDN')
  .action(lazily(async () => (await import('./cli/doctor.js')).doctorCommand))

program
  .command('compile')
  .description("compile the config files of a CDN's caches into folders, one per cache")
  .requiredOption('--cdn <name>', 'the CDN')
  .requiredOption('--out <dir>', 'where the files go')
  .option('--server <host>', 'only this cache')
  .action(lazily(async () => (await import('./cli/compile.js')).compileCommand))

program
  .command('backup')
  .description(
    'write everything the store holds into one file; of a running service with EDGEWRIGHT_URL and EDGEWRIGHT_TOKEN',
  )
  .argument('<file>', 'where to write it, or - for standard output')
  .action(lazily(async () => (await import('./cli/backup.js')).backupCommand))

program
  .command('restore')
  .description(
    'put everything of a backup into an empty store, or nothing; into a running service: POST /api/1.3/restore',
  )
  .argument('<file>', 'what `backup` or GET /api/1.3/backup wrote')
  .option('--force', 'replace the store that is there')
  .option('--dry-run', 'only say whether the file is whole')
  .action(lazily(async () => (await import('./cli/backup.js')).restoreCommand))

const user = program.command('user').description('users, from the command line')
user
  .command('add')
  .description('add a user; the password is read from EDGEWRIGHT_PASSWORD or generated and printed once')
  .argument('<name>', 'user name')
  .requiredOption('--role <role>', 'name of the role, e.g. operations')
  .option('--email <address>', 'default: <name>@localhost.localdomain')
  .option('--tenant <name>', 'name of the tenant', 'root')
  .action(lazily(async () => (await import('./cli/user.js')).userAddCommand))
user
  .command('password')
  .description('set a new password for a user who lost theirs')
  .argument('<name>', 'user name')
  .addOption(new Option('--generate', 'generate one even if EDGEWRIGHT_PASSWORD is set'))
  .action(lazily(async () => (await import('./cli/user.js')).userPasswordCommand))

program
  .command('vault')
  .description('the private material in the store')
  .command('rotate')
  .description(
    `seal all of it with VAULT_KEY, in one commit. Stop every instance first, and serve with VAULT_KEY afterwards.
The keys so far are read from VAULT_KEY_OLD, any variable whose name begins with VAULT_KEY_OLD_ (one key each), and
DATA_DIR/vault-key. When something opens with none of them, it is listed and nothing is changed.`,
  )
  .option('--drop', 'remove what no key opens: keys are deleted, secret fields emptied')
  .action(lazily(async () => (await import('./cli/vault.js')).vaultRotateCommand))

program
  .command('journal')
  .description('the journal: every entry of every change')
  .command('trim')
  .description('remove entries that are older than the GLOBAL parameter journal.keepDays, and their log lines')
  .option('--days <n>', 'older than so many days, whatever the parameter says')
  .option('--dry-run', 'only say what would go')
  .action(lazily(async () => (await import('./cli/journal.js')).journalTrimCommand))

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

/** A command's module is loaded when the command runs: asking for help needs no store and no compiler. */
function lazily<A extends unknown[]>(load: () => Promise<(...given: A) => Promise<void>>) {
  return async (...given: A): Promise<void> => (await load())(...given)
}
