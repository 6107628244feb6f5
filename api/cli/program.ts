import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { productVersion } from '../config/packageRoot.js'
import { endEarly } from './early.js'

/**
 * Every command. A command's module is loaded when it runs: asking for help needs no store and no compiler, and what asks
 * a service over the network needs neither.
 */
export function createProgram(): Command {
  const program = new Command('edgewright')
    .description('The API on which a CDN is operated, with a config compiler inside.')
    .version(productVersion)
    .showHelpAfterError('Run with --help for what there is.')
    .addHelpText('after', more)
  addServing(program)
  addDocuments(program)
  addOperating(program)
  addUsers(program)
  addStore(program)
  addContexts(program)
  program
    .command('completion')
    .description('a script by which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'whose script it is').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      process.stdout.write((await import('./completion.js')).completionScript(program, shell))
    })
  return program
}

const more = `
Commands that take --url ask a running service; without it the store of this machine, with the same output. Which one,
in this order: --url, --context, --local; EDGEWRIGHT_URL with EDGEWRIGHT_TOKEN; the store, when DATA_DIR or MONGODB_URI is
set; the current context ('edgewright login'); the store in ./data. A token in --token is seen by all who list processes:
better are EDGEWRIGHT_TOKEN and contexts. Certificates of an own authority: NODE_EXTRA_CA_CERTS.

Exit codes: 0 done, 1 failed (one line on standard error says why; 'diff --exit-code' has found differences), 2 used wrongly.

Settings come from the environment: HOST, PORT, MONGODB_URI or DATA_DIR, ADMIN_USERNAME, ADMIN_PASSWORD,
SESSION_SECRET, VAULT_KEY, WORKERS, CACHE_MB, LOG_LEVEL, ACCESS_LOG, SHUTDOWN_SECONDS, TRUST_PROXY, PUBLIC_URL,
TLS_CERT, TLS_KEY, SECURE_COOKIES, METRICS_TOKEN, SMTP_URL, INFLUXDB_USER, INFLUXDB_PASSWORD, INFLUXDB_HOSTS,
INFLUXDB_TLS. The README says what each is for.`

/** Of what stands where a URL belongs, it is said how the command is used. */
function urlGiven(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new InvalidArgumentError('It must begin with http:// or https://.')
  return text
}

/** For commands that any service can be asked for. */
const asksService = (command: Command): Command =>
  command
    .addOption(new Option('--url <url>', 'a running service, instead of the store of this machine').argParser(urlGiven))
    .option('--token <token>', 'an API token; better in EDGEWRIGHT_TOKEN')
    .addOption(new Option('--context <name>', "a service of 'edgewright login'").conflicts(['url', 'local']))
    .addOption(new Option('--local', 'the store of this machine, whatever context there is').conflicts('url'))

function addServing(program: Command): void {
  program
    .command('serve')
    .description('serve the API until SIGTERM or SIGINT')
    .action(async () => {
      const early = endEarly()
      await (await import('./serve.js')).serveCommand(early)
    })
  program
    .command('demo')
    .description('load the sample CDN into an empty store, compile the whole fleet to ./out, serve the API')
    .option('--once', 'exit after compiling')
    .option('--out <dir>', 'where the files go', 'out')
    .action(lazily(async () => (await import('./demo.js')).demoCommand))
}

function addDocuments(program: Command): void {
  asksService(program.command('import'))
    .description('import a document of records: all of it is checked, then written in one commit')
    .argument('<file>', 'a JSON document, or - for standard input')
    .option('--dry-run', 'only say what would change, record by record and field by field')
    .action(lazily(async () => (await import('./import.js')).importCommand))
  asksService(program.command('apply'))
    .description('show what a document would change, ask, and change exactly that in one commit')
    .argument('<file>', 'a JSON document, or - for standard input')
    .option('--prune', 'also remove what the document does not have, of the collections that it has')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show it')
    .action(lazily(async () => (await import('./apply.js')).applyCommand))
  asksService(program.command('export'))
    .description('export every record as one document that `import` takes')
    .argument('<file>', 'where to write it, or - for standard output')
    .option('--secrets', 'include password hashes and ids, and keys and other secrets as they are sealed')
    .option('--ids', 'say the id of every record; an import into an empty store keeps them')
    .action(lazily(async () => (await import('./export.js')).exportCommand))
  asksService(program.command('get'))
    .description('print what a path of the API answers')
    .argument('<path>', "below /api/1.3/ ('servers?type=EDGE'), or a whole path")
    .action(lazily(async () => (await import('./get.js')).getCommand))
}

function addOperating(program: Command): void {
  asksService(program.command('compile'))
    .description("compile the config files of a CDN's caches into folders, one per cache")
    .requiredOption('--cdn <name>', 'the CDN')
    .requiredOption('--out <dir>', 'where the files go')
    .option('--server <host>', 'only this cache')
    .action(lazily(async () => (await import('./compile.js')).compileCommand))
  asksService(program.command('doctor'))
    .description('say everything that would keep the CDNs from serving, each with what to do')
    .option('--cdn <name>', 'only this CDN')
    .option('--json', 'as JSON: findings by CDN')
    .action(lazily(async () => (await import('./doctor.js')).doctorCommand))
  asksService(program.command('check'))
    .description('the same of one CDN')
    .argument('<cdn>', 'the CDN')
    .option('--json', 'as JSON')
    .action(lazily(async () => (await import('./doctor.js')).checkCommand))
  asksService(program.command('snapshot'))
    .description('freeze the documents of a CDN and give them to its routers and monitors')
    .argument('<cdn>', 'the CDN')
    .option('--dry-run', 'only say what stands against it')
    .option('--force', 'also when there are faults that would harm them')
    .action(lazily(async () => (await import('./snapshot.js')).snapshotCommand))
  asksService(program.command('diff'))
    .description('what differs between what routers run on and what a snapshot would give them')
    .argument('<cdn>', 'the CDN')
    .option('--from <version>', 'a version, active or live', 'active')
    .option('--to <version>', 'the same', 'live')
    .addOption(
      new Option('--document <name>', 'which document').choices(['CRConfig', 'monitoring']).default('CRConfig'),
    )
    .option('--exit-code', 'exit with 1 when something differs')
    .action(lazily(async () => (await import('./diff.js')).diffCommand))
  asksService(program.command('queue'))
    .description('queue an update of the caches of a CDN')
    .argument('<cdn>', 'the CDN')
    .option('--cachegroup <name>', 'only those of a cache group')
    .option('--server <host>', 'only this one')
    .option('--clear', 'take back what was queued')
    .option('--dry-run', 'only say for how many')
    .action(lazily(async () => (await import('./queue.js')).queueCommand))
}

function addUsers(program: Command): void {
  const user = program.command('user').description('users, from the command line')
  asksService(user.command('list'))
    .description('who may log in, with which role')
    .option('--json', 'as JSON')
    .action(lazily(async () => (await import('./user.js')).userListCommand))
  asksService(user.command('add'))
    .description('add a user; the password is read from EDGEWRIGHT_PASSWORD or generated and printed once')
    .argument('<name>', 'user name')
    .requiredOption('--role <role>', 'name of the role, e.g. operations')
    .option('--email <address>', 'default: <name>@localhost.localdomain')
    .option('--tenant <name>', 'name of the tenant', 'root')
    .action(lazily(async () => (await import('./user.js')).userAddCommand))
  asksService(user.command('password'))
    .description('set a new password for a user who lost theirs')
    .argument('<name>', 'user name')
    .addOption(new Option('--generate', 'generate one even if EDGEWRIGHT_PASSWORD is set'))
    .action(lazily(async () => (await import('./user.js')).userPasswordCommand))
  asksService(user.command('remove'))
    .description('remove a user; their API tokens and sessions end with them')
    .argument('<name>', 'user name')
    .action(lazily(async () => (await import('./user.js')).userRemoveCommand))
}

function addStore(program: Command): void {
  asksService(program.command('backup'))
    .description('write everything the store holds into one file')
    .argument('<file>', 'where to write it, or - for standard output')
    .action(lazily(async () => (await import('./backup.js')).backupCommand))
  program
    .command('restore')
    .description(
      'put everything of a backup into an empty store, or nothing; into a running service: POST /api/1.3/restore',
    )
    .argument('<file>', 'what `backup` or GET /api/1.3/backup wrote')
    .option('--force', 'replace the store that is there')
    .option('--dry-run', 'only say whether the file is whole')
    .action(lazily(async () => (await import('./backup.js')).restoreCommand))
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
    .action(lazily(async () => (await import('./vault.js')).vaultRotateCommand))
  program
    .command('journal')
    .description('the journal: every entry of every change')
    .command('trim')
    .description('remove entries that are older than the GLOBAL parameter journal.keepDays, and their log lines')
    .option('--days <n>', 'older than so many days, whatever the parameter says')
    .option('--dry-run', 'only say what would go')
    .action(lazily(async () => (await import('./journal.js')).journalTrimCommand))
}

function addContexts(program: Command): void {
  program
    .command('login')
    .description('make an API token at a running service and keep it as the current context; asks for the password')
    .addArgument(new Argument('<url>', 'the service').argParser(urlGiven))
    .option('--user <name>', 'who logs in', 'admin')
    .option('--context <name>', "what to call it; default: the service's host")
    .option('--days <n>', 'how long the token is good', '90')
    .action(lazily(async () => (await import('./context.js')).loginCommand))
  program
    .command('logout')
    .description('revoke the token of a context and forget it')
    .argument('[context]', 'default: the current one')
    .action(lazily(async () => (await import('./context.js')).logoutCommand))
  const context = program.command('context').description('the services that `login` keeps')
  context
    .command('list')
    .description('which there are')
    .action(lazily(async () => (await import('./context.js')).contextListCommand))
  context
    .command('use')
    .description('have commands ask this one')
    .argument('<context>', 'its name')
    .action(lazily(async () => (await import('./context.js')).contextUseCommand))
}

function lazily<A extends unknown[]>(load: () => Promise<(...given: A) => Promise<void>>) {
  return async (...given: A): Promise<void> => (await load())(...given)
}
