export interface PlacedOrder {
  readonly orderId: string;
  readonly jobId: string;
}

export interface OrderForm {
  readonly customer: { readonly name: string; readonly email: string };
  readonly items: readonly { readonly sku: string; readonly quantity: number; readonly unitPriceCents: number }[];
}

/** An order of one article, by somebody whom this address tells from everybody else. */
export function orderBy(email: string, sku = 'rope-20m'): OrderForm {
  return { customer: { name: `Customer of ${email}`, email }, items: [{ sku, quantity: 1, unitPriceCents: 1999 }] };
}

/**
 * `undefined` when the connection ended without an answer: the order may or may not have been taken.
 * @throws Error when the shop answered anything but 201.
 */
export async function placeOrder(url: string, order: OrderForm): Promise<PlacedOrder | undefined> {
  const answer = await post(`${url}/orders`, order);
  if (answer === undefined) return undefined;
  if (answer.status !== 201) throw new Error(`The shop answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as PlacedOrder;
}

/** As placeOrder, of a shop that nobody kills. */
export async function placeOrderSurely(url: string, order: OrderForm): Promise<PlacedOrder> {
  const placed = await placeOrder(url, order);
  if (placed === undefined) throw new Error('The shop ended the connection without an answer.');
  return placed;
}

/** @throws Error unless the shop did it. */
export async function tell(url: string, path: string, body: unknown = {}): Promise<void> {
  const answer = await post(`${url}${path}`, body);
  if (answer?.status !== 200) throw new Error(`${path} was answered ${answer?.status ?? 'by nobody'}.`);
}

async function post(url: string, body: unknown): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    // fetch says TypeError for every end of a connection; a body that is cut off is a SyntaxError of its JSON.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
