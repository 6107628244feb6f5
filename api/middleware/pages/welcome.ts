import { createHash } from 'node:crypto'
import { productVersion } from '../../config/packageRoot.js'

interface Shown {
  /** Who is signed in. */
  readonly username: string | null
  /** What went wrong with what was sent last. */
  readonly faults?: readonly string[]
  readonly hasReadme: boolean
}

/** The page that a person finds at `/`: what this is, where to read on, and the way in. It needs no script. */
export const welcomePage = ({ username, faults = [], hasReadme }: Shown): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Edgewright</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Edgewright <small>${text(productVersion)}</small></h1>
<p>The API on which a CDN is operated, with a config compiler inside. This address is for programs; there is no console yet.</p>
${faults.map((fault) => `<p role="alert">${text(fault)}</p>`).join('\n')}
${username === null ? signIn : signedIn(username)}
<h2>To read on</h2>
<ul>
<li><a href="/api/openapi.json">The OpenAPI document</a>: every route, for people and for making clients</li>
${hasReadme ? `<li><a href="${readmePath}">README</a>: a tour, the settings, running it in production</li>` : ''}
<li><a href="/readyz">Readiness</a>: whether all of it works</li>
</ul>
</main>
</body>
</html>
`

export const readmePath = '/README.md'
/** Where the forms of the page go. */
export const signInPath = '/login'
export const signOutPath = '/api/1.3/user/logout'

const signIn = `<h2>Sign in</h2>
<form method="post" action="${signInPath}">
<p><label for="u">User name</label><input id="u" name="u" autocomplete="username" autocapitalize="none" required autofocus></p>
<p><label for="p">Password</label><input id="p" name="p" type="password" autocomplete="current-password" required></p>
<p><button>Sign in</button></p>
</form>`

const signedIn = (username: string): string => `<h2>Signed in as ${text(username)}</h2>
<p>What you may read, as JSON:
${['cdns', 'servers', 'deliveryservices', 'profiles', 'logs?limit=50', 'user/current']
  .map((path) => `<a href="/api/1.3/${path}">${path.replace(/\?.*/, '')}</a>`)
  .join(', ')}.</p>
<form method="post" action="${signOutPath}"><p><button>Sign out</button></p></form>`

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 40rem; padding: 0 1rem; color: #1b1f24; background: #fff }
h1 small { font-size: 1rem; font-weight: normal; color: #57606a }
label { display: block }
input { font: inherit; padding: .3rem .5rem; width: 100%; max-width: 20rem; box-sizing: border-box }
button { font: inherit; padding: .3rem 1rem }
[role=alert] { border-left: .25rem solid #b42318; padding-left: .75rem }
@media (prefers-color-scheme: dark) { body { color: #e6edf3; background: #0d1117 } h1 small { color: #9198a1 } a { color: #6cb6ff } }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Its own style and forms to its own address, and nothing else: no script, no picture, no other host. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

const text = (value: string): string => value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
