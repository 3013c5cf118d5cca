/** So many milliseconds; rejects with the signal's reason as soon as that is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/** A signal that is aborted with another one, or when the time is up, which can be put off. */
export class Timeout {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(milliseconds: number, outer?: AbortSignal | null) {
    this.#outer = outer;
    if (outer?.aborted) this.#stop();
    else outer?.addEventListener("abort", this.#stop, { once: true });
    this.putOff(milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  putOff(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  /** Ends what still listens to the signal, and the timer. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#stop);
    this.#controller.abort();
  }

  readonly #stop = () => this.#controller.abort(this.#outer?.reason);
}
