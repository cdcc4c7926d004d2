// The export of docs/recipes/long-jobs.md, which fails on the way.
import 'reflect-metadata';
import { getQueueToken, HoldfastModule, logStore } from '@holdfast/nestjs';
import { HoldfastTesting, HoldfastTestingModule } from '@holdfast/nestjs/testing';
import { Test } from '@nestjs/testing';
import { Pool } from 'pg';
import { ExportsModule } from './exports/exports.module.js';
import { Customers } from './exports/exports.processor.js';

const all = Array.from({ length: 250 }, (_, index) => index + 1);
const asked: number[] = [];
const customers = {
  async after(position: number, limit: number) {
    asked.push(position);
    if (asked.length === 3) throw new Error('The customers do not answer.');
    return all.filter((customer) => customer > position).slice(0, limit);
  },
};
const root = HoldfastModule.forRoot({ store: logStore({ directory: 'unused' }) });
const app = await Test.createTestingModule({ imports: [root, ExportsModule, HoldfastTestingModule] })
  .overrideProvider(Customers)
  .useValue(customers)
  .compile();
await app.init();
await app.get(getQueueToken('exports')).enqueue('customers', null);
const { failed, completed } = await app.get(HoldfastTesting).advance(60_000);
const { rows } = await app.get(Pool).query('SELECT count(*)::int AS exported FROM exported');
console.log(`exports ${JSON.stringify({ failed, completed, asked, ...rows[0] })}`);
await app.close();
