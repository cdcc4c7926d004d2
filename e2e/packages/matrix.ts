/** One kind of application that somebody may have. */
export interface Kind {
  readonly name: string;
  readonly nest: 11 | 12;
  readonly platform: 'express' | 'fastify';
  /** What its own package.json says. */
  readonly modules: 'ESM' | 'CommonJS';
}

export const KINDS: readonly Kind[] = [
  { name: 'nest12-express', nest: 12, platform: 'express', modules: 'ESM' },
  { name: 'nest12-fastify', nest: 12, platform: 'fastify', modules: 'ESM' },
  { name: 'nest11-express', nest: 11, platform: 'express', modules: 'ESM' },
  { name: 'nest11-fastify', nest: 11, platform: 'fastify', modules: 'ESM' },
  { name: 'nest11-express-commonjs', nest: 11, platform: 'express', modules: 'CommonJS' },
];

/** Exact, so that a run of today and one of tomorrow try the same. */
const NEST = { 11: '11.2.10', 12: '12.5.1' } as const;
const FASTIFY = { 11: '11.2.8', 12: '12.5.0' } as const;

export function dependenciesOf({ nest, platform }: Kind): Record<string, string> {
  const adapter = platform === 'express' ? NEST[nest] : FASTIFY[nest];
  return {
    '@nestjs/common': NEST[nest],
    '@nestjs/core': NEST[nest],
    [`@nestjs/platform-${platform}`]: adapter,
    'reflect-metadata': '0.2.2',
    rxjs: '7.8.2',
  };
}
