// Which jobs of the mock world a filter means, and which of them an act fits.
const ACT_STATES = {
  redrive: ['dead'],
  runNow: ['scheduled'],
  cancel: ['scheduled', 'ready', 'leased'],
  drain: ['scheduled', 'ready'],
  reprioritise: ['scheduled', 'ready'],
  transfer: ['scheduled', 'ready'],
  remove: ['scheduled', 'ready', 'completed', 'dead', 'cancelled'],
};

export function fits(act, state) {
  return ACT_STATES[act].includes(state);
}

/** `filter`: of the query or of a body; numbers may be text. */
export function matches(entry, filter, nowMs) {
  const { row } = entry;
  const { payloadPath = filter.payload?.path, payloadValue = filter.payload?.value } = filter;
  const error = row.lastError;
  return [
    ['state', 'queue', 'name'].every((field) => filter[field] === undefined || filter[field] === row[field]),
    filter.id === undefined || row.id.startsWith(filter.id),
    filter.errorClass === undefined || error?.class === filter.errorClass,
    filter.errorText === undefined || error?.message.toLowerCase().includes(filter.errorText.toLowerCase()),
    filter.errorFingerprint === undefined || (row.state === 'dead' && fingerprint(entry) === filter.errorFingerprint),
    filter.attemptsMin === undefined || row.attempts >= Number(filter.attemptsMin),
    filter.olderThanMs === undefined || nowMs - row.enqueuedAtMs > Number(filter.olderThanMs),
    filter.enqueuedFromMs === undefined || row.enqueuedAtMs >= Number(filter.enqueuedFromMs),
    filter.enqueuedBeforeMs === undefined || row.enqueuedAtMs < Number(filter.enqueuedBeforeMs),
    filter.updatedFromMs === undefined || row.updatedAtMs >= Number(filter.updatedFromMs),
    filter.updatedBeforeMs === undefined || row.updatedAtMs < Number(filter.updatedBeforeMs),
    payloadPath === undefined || fieldOf(entry.payload, payloadPath) === payloadValue,
  ].every(Boolean);
}

/** Whether the real store would have to look at jobs one by one. */
export function isSearch(filter) {
  return Object.keys(filter).some((field) => !['state', 'queue', 'name', 'limit', 'cursor'].includes(field));
}

export function fingerprint(entry) {
  return `1-${Buffer.from(entry.error[0]).toString('hex').slice(0, 24)}`;
}

function fieldOf(payload, path) {
  try {
    const value = path.split('.').reduce((inner, key) => inner?.[key], JSON.parse(payload));
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
}
