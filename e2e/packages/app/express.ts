import { ExpressAdapter } from '@nestjs/platform-express';

export function createAdapter() {
  return new ExpressAdapter();
}
