// The webhooks of docs/recipes/webhooks.md, and receivers that are down and gone.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { getQueueToken, HoldfastModule, logStore } from '@holdfast/nestjs';
import { HoldfastTesting, HoldfastTestingModule } from '@holdfast/nestjs/testing';
import { Test } from '@nestjs/testing';
import { WebhooksModule } from './webhooks/webhooks.module.js';

const calls: string[] = [];
const receiver = createServer((request, response) => {
  calls.push(`${request.url} ${request.headers['idempotency-key']}`);
  response.statusCode = request.url === '/gone' ? 410 : calls.length <= 2 ? 503 : 204;
  response.end();
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const root = HoldfastModule.forRoot({ store: logStore({ directory: 'unused' }) });
const app = await Test.createTestingModule({ imports: [root, WebhooksModule, HoldfastTestingModule] }).compile();
await app.init();
const webhooks = app.get(getQueueToken('webhooks'));
const jobs = app.get(HoldfastTesting);
await webhooks.enqueue('order-placed', { url: `${origin}/down`, orderId: 'o-1' });
const down = await jobs.advance(3600_000);
await webhooks.enqueue('order-placed', { url: `${origin}/gone`, orderId: 'o-2' });
const gone = await jobs.advance(3600_000);
const counts = ({ failed, completed, dead }: typeof down) => ({ failed, completed, dead });
console.log(`webhooks ${JSON.stringify({ calls, down: counts(down), gone: counts(gone) })}`);
await app.close();
receiver.close();
