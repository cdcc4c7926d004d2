export class Refusal extends Error {
  constructor(status, code, title, detail) {
    super(detail);
    Object.assign(this, { status, code, title });
  }
}
