import type { Dispatcher } from "undici";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** Collects one answer from undici, which parses it and enforces the limits on its size. */
export class ResponseHandler implements Dispatcher.DispatchHandler {
  /** The final status, once its headers are complete. */
  status: number | undefined;
  /** As received. Several headers are joined, which makes the value invalid. */
  retryAfter: string | undefined;
  /** Whether the receiver sent anything at all. */
  isStarted = false;
  readonly #keepBody: boolean;
  readonly #body: Buffer[] = [];
  readonly #finished = Promise.withResolvers<void>();

  constructor(keepBody: boolean) {
    this.#keepBody = keepBody;
  }

  /** Resolves when the answer is complete. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  get body(): Buffer | undefined {
    return this.#keepBody ? Buffer.concat(this.#body) : undefined;
  }

  onRequestStart(): void {}

  onResponseStarted(): void {
    this.isStarted = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers) {
    const isInterim = status >= 102 && status <= 199;
    if (isInterim) return;
    this.status = status;
    this.retryAfter = joined(headers["retry-after"]);
    // HTTP defines no message body for these, so the end of the answer is unknown.
    if (status < 200 || status > 599) {
      this.#finished.resolve();
      controller.abort(new Error(`The status ${status} does not end a request.`));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#keepBody) this.#body.push(bytes);
  }

  onResponseEnd(): void {
    this.#finished.resolve();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    // undici reports an unexpected switch of protocols without its status.
    if (error.message === "bad upgrade") {
      this.status = 101;
      this.#finished.resolve();
    } else this.#finished.reject(error);
  }
}

const joined = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join(", ") : value;
