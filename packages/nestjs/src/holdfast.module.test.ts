import 'reflect-metadata';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';
import { HoldfastModule } from './holdfast.module.js';

it('can be imported into an app', async () => {
  const app = await Test.createTestingModule({ imports: [HoldfastModule] }).compile();
  expect(app.get(HoldfastModule)).toBeInstanceOf(HoldfastModule);
  await app.close();
});
