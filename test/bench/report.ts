/** One goal of the performance bounds and what this run measured for it. */
export interface Figure {
  readonly section: string
  readonly name: string
  readonly value: number
  readonly unit: string
  /** `null`: shown for orientation only. */
  readonly bound: { readonly is: '<=' | '>='; readonly value: number } | null
  readonly note: string
}

export interface Section {
  /** A measured value with its bound. */
  goal(name: string, value: number, unit: string, is: '<=' | '>=', bound: number, note?: string): void
  /** A value without a bound: a yardstick, or what explains another value. */
  show(name: string, value: number, unit: string, note?: string): void
  /** Something about the run that a reader has to know. */
  say(text: string): void
}

/** Prints figures as they come and keeps them for the summary. */
export class Report {
  readonly figures: Figure[] = []

  section(section: string, title: string): Section {
    process.stdout.write(`\n${section}: ${title}\n`)
    const note = (figure: Omit<Figure, 'section'>): void => {
      this.figures.push({ section, ...figure })
      process.stdout.write(`${line(figure)}\n`)
    }
    return {
      goal: (name, value, unit, is, bound, text = '') =>
        note({ name, value, unit, bound: { is, value: bound }, note: text }),
      show: (name, value, unit, text = '') => note({ name, value, unit, bound: null, note: text }),
      say: (text) => process.stdout.write(`  ${text}\n`),
    }
  }
}

/** What missed its bound, and everything as one line of JSON. */
export function summary(figures: readonly Figure[]): string {
  const bounded = figures.filter(({ bound }) => bound !== null)
  const missed = bounded.filter((figure) => !isMet(figure))
  const json = figures.map(({ section, name, value, unit, bound }) => ({
    section,
    name: name.trim(),
    value: Number(value.toPrecision(4)),
    unit,
    ...(bound ? { bound: `${bound.is} ${bound.value}`, met: isMet({ value, bound }) } : {}),
  }))
  return [
    `\n${bounded.length - missed.length} of ${bounded.length} goals met${missed.length > 0 ? '; missed:' : ''}`,
    ...missed.map((figure) => `  ${figure.section}: ${line(figure).trim()}`),
    JSON.stringify({ figures: json }),
  ].join('\n')
}

const isMet = ({ value, bound }: Pick<Figure, 'value' | 'bound'>): boolean =>
  bound === null || (bound.is === '<=' ? value <= bound.value : value >= bound.value)

function line({ name, value, unit, bound, note }: Omit<Figure, 'section'>): string {
  const shown = `${number(value)} ${unit}`.trim()
  const goal = bound ? `${isMet({ value, bound }) ? 'ok  ' : 'MISS'} ${bound.is} ${number(bound.value)}` : ''
  return `  ${name.padEnd(58)} ${shown.padStart(14)}  ${goal.padEnd(16)} ${note}`.trimEnd()
}

function number(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}
