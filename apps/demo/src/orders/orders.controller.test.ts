import 'reflect-metadata';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readJsonBodies } from '../http/json-body.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { type OrderForm } from './order.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

const good: OrderForm = {
  customer: { name: 'Ada Lovelace', email: 'ada@example.org' },
  items: [{ sku: 'rope-20m', quantity: 2, unitPriceCents: 1_999 }],
};

/** Takes the place of the queues: what reaches it would have become jobs. */
class OrderedForms {
  readonly forms: OrderForm[] = [];
  failure: Error | undefined;

  async place(form: OrderForm) {
    if (this.failure !== undefined) throw this.failure;
    this.forms.push(form);
    return { orderId: 'order-1', jobId: 'job-1' };
  }
}

let app: NestExpressApplication;
let ordered: OrderedForms;

beforeEach(async () => {
  ordered = new OrderedForms();
  const module = await Test.createTestingModule({
    controllers: [OrdersController],
    providers: [{ provide: OrdersService, useValue: ordered }],
  }).compile();
  app = module.createNestApplication<NestExpressApplication>({ bodyParser: false, logger: false });
  readJsonBodies(app);
  app.useGlobalFilters(new ProblemFilter());
  await app.init();
});

afterEach(() => app.close());

function post(body: string, contentType = 'application/json') {
  return request(app.getHttpServer()).post('/orders').set('Content-Type', contentType).send(body);
}

describe('POST /orders', () => {
  it('takes a good order and answers its ids', async () => {
    const response = await post(JSON.stringify(good));
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ orderId: 'order-1', jobId: 'job-1' });
    expect(ordered.forms).toEqual([good]);
  });

  it('takes an order at every limit', async () => {
    const item = { sku: 'x'.repeat(64), quantity: 100, unitPriceCents: 10_000_000 };
    const full = { customer: { ...good.customer, name: 'n'.repeat(200) }, items: Array(50).fill(item) };
    expect((await post(JSON.stringify(full))).status).toBe(201);
  });

  const { customer, items } = good;
  const [item] = items;
  it.each([
    ['no items', { customer, items: [] }, 'items'],
    ['items left out', { customer }, 'items'],
    ['items that are no list', { customer, items: 'rope' }, 'items'],
    ['51 items', { customer, items: Array(51).fill(item) }, 'items'],
    ['an item that is null', { customer, items: [null] }, 'items[0]'],
    ['a negative price', { customer, items: [item, { ...item, unitPriceCents: -1 }] }, 'items[1].unitPriceCents'],
    ['a price with a fraction', { customer, items: [{ ...item, unitPriceCents: 0.5 }] }, 'items[0].unitPriceCents'],
    [
      'a price beyond the limit',
      { customer, items: [{ ...item, unitPriceCents: 1e7 + 1 }] },
      'items[0].unitPriceCents',
    ],
    ['a price that is text', { customer, items: [{ ...item, unitPriceCents: '5' }] }, 'items[0].unitPriceCents'],
    ['no quantity', { customer, items: [{ ...item, quantity: 0 }] }, 'items[0].quantity'],
    ['101 of one article', { customer, items: [{ ...item, quantity: 101 }] }, 'items[0].quantity'],
    ['an empty sku', { customer, items: [{ ...item, sku: '' }] }, 'items[0].sku'],
    ['a sku of 65 characters', { customer, items: [{ ...item, sku: 'x'.repeat(65) }] }, 'items[0].sku'],
    ['a name of 1 MB', { customer: { ...customer, name: 'n'.repeat(1024 * 1024) }, items }, 'customer.name'],
    ['a name of blanks', { customer: { ...customer, name: ' \u00a0 ' }, items }, 'customer.name'],
    ['an empty name', { customer: { ...customer, name: '' }, items }, 'customer.name'],
    ['a line break in the name', { customer: { ...customer, name: 'Ada\r\nBcc: x@y.z' }, items }, 'customer.name'],
    ['a name that is a number', { customer: { ...customer, name: 5 }, items }, 'customer.name'],
    ['an address without a domain', { customer: { ...customer, email: 'ada' }, items }, 'customer.email'],
    ['two addresses', { customer: { ...customer, email: 'a@b.org, c@d.org' }, items }, 'customer.email'],
    [
      'an address of 1 MB',
      { customer: { ...customer, email: `${'a'.repeat(1024 * 1024)}@b.org` }, items },
      'customer.email',
    ],
    ['no customer', { items }, 'customer'],
    ['an empty object', {}, 'customer'],
    ['a list', [], 'body'],
  ])('refuses %s and names the field', async (_, body, field) => {
    const response = await post(JSON.stringify(body));
    expect(response.status).toBe(400);
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({ status: 400, code: 'INPUT_REFUSED' });
    expect(response.body.fields[0].field).toBe(field);
    expect(response.body.detail).toContain(field);
    expect(ordered.forms).toEqual([]);
  });

  it.each([
    ['half a JSON text', '{"customer":', 'application/json'],
    ['no JSON at all', 'rope, please', 'application/json'],
    ['a text that stands for itself', '"rope"', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a form', 'customer=Ada', 'application/x-www-form-urlencoded'],
    ['an encoding that nobody knows', JSON.stringify(good), 'application/json; charset=klingon'],
  ])('refuses a body that is %s', async (_, body, contentType) => {
    const response = await post(body, contentType);
    expect(response.status).toBe(400);
    expect(response.body.fields[0].field).toBe('body');
    expect(ordered.forms).toEqual([]);
  });

  it('refuses a body that is not compressed as it says', async () => {
    const response = await post(JSON.stringify(good)).set('Content-Encoding', 'gzip');
    expect(response.status).toBe(400);
    expect(response.body.fields[0]).toMatchObject({ field: 'body', problem: expect.stringContaining('unreadable') });
  });

  it('says of a body without its type how it has to be sent', async () => {
    const response = await post(JSON.stringify(good), 'application/x-www-form-urlencoded');
    expect(response.body.detail).toContain('Content-Type: application/json');
  });

  it('says a problem once, also when several rules find it', async () => {
    const response = await post(JSON.stringify({ customer, items: [{ ...item, quantity: 1e300 }] }));
    expect(response.body.fields).toEqual([
      { field: 'items[0].quantity', problem: 'must be a whole number from 1 to 100' },
    ]);
  });

  it('names every field that is wrong, but not without end', async () => {
    const wrong = Array(50).fill({ sku: '', quantity: 0, unitPriceCents: -1 });
    const response = await post(JSON.stringify({ customer, items: wrong }));
    expect(response.status).toBe(400);
    expect(response.body.fields).toHaveLength(20);
  });

  it('says so when a body is larger than it reads', async () => {
    const response = await post(JSON.stringify({ ...good, note: 'x'.repeat(5 * 1024 * 1024) }));
    expect(response.status).toBe(413);
    expect(response.body.detail).toContain('larger than the 4 MB');
    expect(ordered.forms).toEqual([]);
  });

  it('does not show what went wrong inside', async () => {
    ordered.failure = new Error('disk /secret/place is full');
    const response = await post(JSON.stringify(good));
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ code: 'FAILED' });
    expect(JSON.stringify(response.body)).not.toContain('secret');
  });
});
