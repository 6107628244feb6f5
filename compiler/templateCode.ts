/**
 * JavaScript text for a parsed template: a function from the view to what it prints, which calls what `link` hands
 * it. Handlebars' own code makes several objects for each name and each block that it comes by, a good third of
 * the memory and time that a large remap.config took.
 *
 * Views are plain data, so this knows names, `../`, `if`, `unless`, `each`, partials and one-argument helpers, and
 * refuses everything else when the template is read.
 */
export function templateCode(program: hbs.AST.Program, helpers: readonly string[]): string {
  return `function (view0) { let text = "", value; ${body(program, { depth: 0, helpers })} return text }`
}

interface Place {
  /** How many `each` are around it; `view<depth>` is what names refer to. */
  readonly depth: number
  readonly helpers: readonly string[]
}

const body = (program: hbs.AST.Program | undefined, place: Place): string =>
  (program?.body ?? []).map((statement) => statementCode(statement, place)).join(' ')

function statementCode(statement: hbs.AST.Statement, place: Place): string {
  switch (statement.type) {
    case 'ContentStatement':
      return `text += ${JSON.stringify((statement as hbs.AST.ContentStatement).value)};`
    case 'CommentStatement':
      return ''
    case 'MustacheStatement':
      return printing(statement as hbs.AST.MustacheStatement, place)
    case 'BlockStatement':
      return block(statement as hbs.AST.BlockStatement, place)
    case 'PartialStatement':
      return partial(statement as hbs.AST.PartialStatement, place)
    default:
      return refuse(statement, `${statement.type} is not known here`)
  }
}

function printing(statement: hbs.AST.MustacheStatement, place: Place): string {
  const { path, params, hash } = statement
  if (params.length === 0 && !hash) return `text += ${printed(path, place)};`
  const name = nameOf(path)
  if (!place.helpers.includes(name)) refuse(statement, `used the unknown helper ${name}`)
  return `text += print(helpers.${name}(${strict(onlyParam(statement, name), place)}));`
}

function block(statement: hbs.AST.BlockStatement, place: Place): string {
  const { path, program, inverse } = statement
  const name = nameOf(path)
  const value = () => lenient(onlyParam(statement, name), place)
  if (name === 'if') return `if (isTrue(${value()})) { ${body(program, place)} } else { ${body(inverse, place)} }`
  if (name === 'unless') return `if (isTrue(${value()})) { ${body(inverse, place)} } else { ${body(program, place)} }`
  if (name !== 'each') return refuse(statement, `used the unknown helper ${name}`)
  const depth = place.depth + 1
  const [list, at] = [`list${depth}`, `at${depth}`]
  const loop = `for (let ${at} = 0; ${at} < ${list}.length; ${at}++) {
    const view${depth} = ${list}[${at}]; ${body(program, { ...place, depth })} }`
  return `{ const ${list} = listOf(${value()}); ${loop} if (${list}.length === 0) { ${body(inverse, place)} } }`
}

/** Standing alone on an indented line, a partial begins with that indent; its other lines are as they are. */
function partial(statement: hbs.AST.PartialStatement, place: Place): string {
  const { name, params, hash, indent } = statement as typeof statement & { readonly indent: string }
  if (!('original' in name)) return refuse(statement, 'a partial must be named, not computed')
  if (hash || params.length > 1) return refuse(statement, 'a partial takes one value')
  const view = params[0] ? strict(params[0], place) : `view${place.depth}`
  return `text += ${JSON.stringify(indent ?? '')} + include(${JSON.stringify(String(name.original))}, ${view});`
}

/** A value on its way into the text; the usual, a string that is there, is not handed around. */
function printed(expression: hbs.AST.Expression, place: Place): string {
  const { parents, last } = pathCode(expression, place)
  if (last === undefined) return `print(${parents})`
  return `((value = ${parents}[${last}]) === undefined ? absent(${parents}, ${last}) : print(value))`
}

/** The value of a name that must be there. */
const strict = (expression: hbs.AST.Expression, place: Place): string => {
  const { parents, last } = pathCode(expression, place)
  return last === undefined ? parents : `present(${parents}, ${last})`
}

/** The same of one that need not be: a test of it fails. */
const lenient = (expression: hbs.AST.Expression, place: Place): string => {
  const { parents, last } = pathCode(expression, place)
  return last === undefined ? parents : `${parents}[${last}]`
}

/** Code for everything but the last part of a path, and that part quoted; none for `this`. */
function pathCode(expression: hbs.AST.Expression, { depth }: Place): { parents: string; last: string | undefined } {
  if (expression.type !== 'PathExpression') return refuse(expression, 'only names can be used')
  const path = expression as hbs.AST.PathExpression
  const around = depth - path.depth
  if (path.data || around < 0) return refuse(expression, `there is no ${path.original} here`)
  const parts = path.parts.map((part) => JSON.stringify(part))
  const last = parts.pop()
  return { parents: parts.reduce((code, part) => `present(${code}, ${part})`, `view${around}`), last }
}

function onlyParam(node: hbs.AST.MustacheStatement | hbs.AST.BlockStatement, name: string): hbs.AST.Expression {
  const [param] = node.params
  if (!param || node.params.length > 1 || node.hash) return refuse(node, `${name} takes one value`)
  return param
}

const nameOf = (path: hbs.AST.Expression): string => ('original' in path ? String(path.original) : '')

function refuse(node: hbs.AST.Node, reason: string): never {
  throw new Error(`${reason} (line ${node.loc.start.line})`)
}
