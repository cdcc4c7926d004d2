/** Of a record, before its body: docs/log-format.md. */
export const RECORD_HEAD_BYTES = 12;
