import type { Finder, Line } from './finder.js'
import { known } from './finder.js'

/** Profiles, parameters and their links. */
export function profiles(finder: Finder): readonly Line[] {
  const { id } = finder
  const { stream, group } = known(finder)
  const profile = (name = 'WRITTEN') => id('/profiles', `name=${name}`)
  const parameter = (name = 'written') => id('/parameters', `name=${name}`)
  const parameterBody = (name: string) => ({ name, configFile: 'written.config', value: 'v', secure: 0 })
  return [
    [
      'POST /profiles',
      async () => ['/profiles', { name: 'WRITTEN', description: 'd', type: 'ATS_PROFILE', cdn: await stream() }],
    ],
    [
      'PUT /profiles/:id',
      async () => [
        `/profiles/${await profile()}`,
        { name: 'WRITTEN', description: 'd2', type: 'ATS_PROFILE', cdn: await stream() },
      ],
    ],
    ['POST /profiles/name/:profile_name/copy/:profile_copy_from', async () => ['/profiles/name/COPY/copy/EDGE_ATS9']],
    [
      'POST /profiles/import',
      async () => [
        '/profiles/import',
        {
          profile: { name: 'IMPORTED', description: 'd', type: 'ATS_PROFILE', cdn: 'stream' },
          parameters: [{ name: 'imported', config_file: 'written.config', value: 'v' }],
        },
      ],
    ],
    ['POST /parameters', async () => ['/parameters', parameterBody('written')]],
    [
      'POST /import',
      async () => ['/import', { parameters: [parameterBody('unused')].map(({ secure: _, ...p }) => p) }],
    ],
    ['PUT /parameters/:id', async () => [`/parameters/${await parameter()}`, { value: 'v2' }]],
    ['POST /profiles/:id/parameters', async () => [`/profiles/${await profile()}/parameters`, parameterBody('second')]],
    [
      'POST /profiles/id/:id/parameters',
      async () => [`/profiles/id/${await profile()}/parameters`, parameterBody('third')],
    ],
    [
      'POST /profiles/name/:name/parameters',
      async () => ['/profiles/name/WRITTEN/parameters', parameterBody('fourth')],
    ],
    [
      'POST /profileparameters',
      async () => ['/profileparameters', { profileId: await profile(), parameterId: await parameter() }],
    ],
    [
      'DELETE /profileparameters/:profile_id/:parameter_id',
      async () => [`/profileparameters/${await profile()}/${await parameter()}`],
    ],
    [
      'POST /profileparameter',
      async () => ['/profileparameter', { profileId: await profile(), paramIds: [await parameter()] }],
    ],
    [
      'POST /parameterprofile',
      async () => ['/parameterprofile', { paramId: await parameter(), profileIds: [await profile('COPY')] }],
    ],
    [
      'POST /cachegroupparameters',
      async () => ['/cachegroupparameters', { cacheGroupId: await group(), parameterId: await parameter() }],
    ],
    [
      'DELETE /cachegroupparameters/:cachegroup_id/:parameter_id',
      async () => [`/cachegroupparameters/${await group()}/${await parameter()}`],
    ],
    ['DELETE /parameters/:id', async () => [`/parameters/${await parameter('unused')}`]],
    ['DELETE /profiles/:id', async () => [`/profiles/${await profile('IMPORTED')}`]],
  ]
}
