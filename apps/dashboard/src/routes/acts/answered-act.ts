import { useEffect, useRef } from 'react';
import { showToast } from '../../components/toasts.js';
import { visibleText } from '../../format/hostile-text.js';
import { failedAct } from './failed-act.js';

interface AnsweredAct<Body, Answer> {
  readonly send: (body: Body) => Promise<Answer>;
  /** Always called: an act is under way, whatever has been closed since. */
  readonly told: (answer: Answer) => void;
  /** Only while the dialog is there that asked: another one may be open by now. */
  readonly closed: (answer: Answer) => void;
}

/** For dialogs, which show a failure themselves as long as they are there. Who closed one before the answer came is told all the same. */
export function useAnsweredAct<Body, Answer>({ send, told, closed }: AnsweredAct<Body, Answer>): (body: Body) => void {
  const isThere = useRef(true);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  // The button that says so is drawn later than a second press of somebody in a hurry comes.
  const isUnderWay = useRef(false);
  return (body) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void send(body)
      .finally(() => {
        isUnderWay.current = false;
      })
      .then(
        (answer) => {
          told(answer);
          if (isThere.current) closed(answer);
        },
        (error: unknown) => {
          if (!isThere.current) tellFailure(error);
        },
      );
  };
}

export function tellFailure(error: unknown): void {
  const { title, next } = failedAct(error);
  const message = visibleText(error instanceof Error ? error.message : String(error));
  showToast({ tone: 'failed', text: title, detail: next === undefined ? message : `${message} ${next}` });
}
