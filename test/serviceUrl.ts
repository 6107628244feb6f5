/** Where the service is found that compiles in tests of what is compiled, when no parameter says so. */
export const serviceUrl = 'https://own.example.net'
