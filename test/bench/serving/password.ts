/** Of the administrator of every store a bench makes. */
export const benchPassword = 'a-Password-of-benches'
