// The shop's page: sends the form, and shows what the shop says about itself every two seconds while somebody looks.

/**
 * @typedef {import('../src/shop-page/shop-state.js').ShopState} ShopState
 */

const REFRESH_MS = 2_000;

const form = /** @type {HTMLFormElement} */ (element('order-form'));
const customerSwitch = /** @type {HTMLButtonElement} */ (element('customer-switch'));
const receiverSwitch = /** @type {HTMLButtonElement} */ (element('receiver-switch'));

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void placeOrder();
});
customerSwitch.addEventListener('click', () => void act(customerSwitch));
receiverSwitch.addEventListener('click', () => void act(receiverSwitch));
document.addEventListener('visibilitychange', () => void refresh());
setInterval(() => void refresh(), REFRESH_MS);
void refresh();

async function placeOrder() {
  const fields = new FormData(form);
  const item = {
    sku: fields.get('sku'),
    quantity: toNumber(fields.get('quantity')),
    unitPriceCents: toNumber(fields.get('unitPriceCents')),
  };
  const response = await fetch('/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ customer: { name: fields.get('name'), email: fields.get('email') }, items: [item] }),
  }).catch(() => undefined);
  const answer = await response?.json().catch(() => undefined);
  if (response === undefined || answer === undefined)
    say('The shop cannot be reached. Nothing is known about this order.', true);
  else if (response.ok) say(`Order ${answer.orderId} is on disk. Its receipt is job ${answer.jobId}.`, false);
  else say(answer.detail, true);
  await refresh();
}

/** @param {HTMLButtonElement} button */
async function act(button) {
  const { action } = button.dataset;
  if (action === undefined) return;
  await fetch(action, { method: 'POST' }).catch(() => undefined);
  await refresh();
}

async function refresh() {
  if (document.hidden) return;
  const response = await fetch('/shop/state').catch(() => undefined);
  if (response?.ok) show(await response.json());
}

/** @param {ShopState} state */
function show({ pid, customer, receiver, orders, mailbox }) {
  for (const place of document.querySelectorAll('.pid')) place.textContent = String(pid);
  element('customer-state').textContent = customer.running ? 'buys about once a second' : 'has left';
  offer(customerSwitch, customer.running ? ['Send away', '/customer/stop'] : ['Call back', '/customer/start']);
  const well = receiver.mood === 'mended';
  element('receiver-state').textContent = well ? 'answers well' : MOODS[receiver.mood];
  offer(receiverSwitch, well ? ['Break it', '/receiver/break'] : ['Mend it', '/receiver/mend']);
  element('mail-state').textContent =
    `${mailbox.total} kept, ${mailbox.duplicatesDropped} second copies dropped since the start`;
  fill('orders', orders.map(orderCells), 'No orders since the start.');
  fill('mails', mailbox.mails.map(mailCells), 'No mails yet.');
}

/** @type {Record<Exclude<ShopState['receiver']['mood'], 'mended'>, string>} */
const MOODS = {
  moody: 'fails at times: 500, no answer at all, or 410',
  error: 'answers 500 to everything',
  hang: 'never answers',
  gone: 'answers 410 to everything',
};

/** @param {ShopState['orders'][number]} order */
function orderCells(order) {
  const receipt =
    order.receiptFile === undefined
      ? cell('on its way')
      : cell('in the mailbox', { address: `/mails/${order.receiptFile}` });
  const job = cell(order.orderId, { address: `/admin/queues/jobs?job=${encodeURIComponent(order.jobId)}` });
  return [job, cell(order.customer), cell((order.totalCents / 100).toFixed(2), { kind: 'number' }), receipt];
}

/** @param {ShopState['mailbox']['mails'][number]} mail */
function mailCells(mail) {
  return [
    cell(mail.to),
    cell(mail.subject, { address: `/mails/${mail.file}` }),
    cell(new Date(mail.keptAtMs).toLocaleTimeString(), { kind: 'time' }),
  ];
}

/**
 * Texts come from customers: they are set as text, never as markup.
 *
 * @param {string} text
 * @param {{ address?: string, kind?: 'number' | 'time' | 'empty' }} [look]
 */
function cell(text, { address, kind } = {}) {
  const made = document.createElement('td');
  if (kind !== undefined) made.className = kind;
  if (address === undefined) made.textContent = text;
  else {
    const link = document.createElement('a');
    link.href = address;
    link.textContent = text;
    made.append(link);
  }
  return made;
}

/**
 * @param {string} id
 * @param {HTMLTableCellElement[][]} rows
 * @param {string} whenEmpty
 */
function fill(id, rows, whenEmpty) {
  const body = element(id);
  // Rebuilding the table would take the focus off a link in it.
  if (body.contains(document.activeElement)) return;
  const empty = cell(whenEmpty, { kind: 'empty' });
  empty.colSpan = 4;
  body.replaceChildren(
    ...(rows.length === 0 ? [[empty]] : rows).map((cells) => {
      const row = document.createElement('tr');
      row.append(...cells);
      return row;
    }),
  );
}

/**
 * @param {HTMLButtonElement} button
 * @param {[words: string, action: string]} offered
 */
function offer(button, [words, action]) {
  button.textContent = words;
  button.dataset.action = action;
}

/**
 * @param {string} words
 * @param {boolean} wrong
 */
function say(words, wrong) {
  const answer = element('order-answer');
  answer.textContent = words;
  answer.classList.toggle('wrong', wrong);
}

/** What is no number goes to the shop as it was typed, so that the shop is who refuses it. @param {FormDataEntryValue | null} typed */
function toNumber(typed) {
  return typeof typed === 'string' && typed.trim() !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed;
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element "${id}".`);
  return found;
}
