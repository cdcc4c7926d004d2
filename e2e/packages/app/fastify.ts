import { FastifyAdapter } from '@nestjs/platform-fastify';

export function createAdapter() {
  return new FastifyAdapter();
}
