import { Component, type ReactNode } from 'react';
import { MissingFileError } from './missing-file.js';
import { WholeProblem } from './problem-view.js';

interface ErrorBoundaryProps {
  /** Another one starts afresh: leaving the page that failed is a way out. */
  readonly page: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly error: Error | undefined;
  readonly page: string | undefined;
}

/** A mistake in one page leaves the frame standing, with a way to try again and to go elsewhere. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: undefined, page: undefined };

  static getDerivedStateFromError(thrown: unknown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  static getDerivedStateFromProps({ page }: ErrorBoundaryProps, state: BoundaryState) {
    return page === state.page ? null : { page, error: undefined };
  }

  #retry(error: Error): void {
    if (error instanceof MissingFileError) window.location.reload();
    else this.setState({ error: undefined });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <WholeProblem heading="h1" error={error} onRetry={() => this.#retry(error)} />;
  }
}
