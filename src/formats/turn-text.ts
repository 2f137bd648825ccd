// What a turn's parser says, and how text and reasoning become blocks of it: without the white space around them, with the
// place kept that marks are judged by. Knows no marks.
import type { ReadCall } from "./format.ts";
import type { MarkContext } from "./turn-marks.ts";

/** Offsets count UTF-16 units of the turn's text. */
export type TurnParserEvent =
  | { readonly type: "reasoning-start" }
  | { readonly type: "reasoning-delta"; readonly text: string }
  | { readonly type: "reasoning-end" }
  | { readonly type: "text-start" }
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "text-end" }
  | { readonly type: "call-start"; readonly index: number; readonly name: string }
  | { readonly type: "call-delta"; readonly index: number; readonly text: string }
  | (ReadCall & { readonly index: number })
  | {
      readonly type: "call-broken";
      readonly index: number;
      readonly name?: string;
      /** Everything that was taken for the call, from its opener on. */
      readonly text: string;
      readonly reason: string;
      readonly at: number;
      readonly cut: boolean;
    };

/** Text and reasoning of one turn, in pieces of any size. */
export interface TurnText {
  sayText(text: string): void;
  endText(): void;
  beginReasoning(): void;
  sayReasoning(text: string): void;
  endReasoning(): void;
  /** A call's section has ended here. */
  passSection(): void;
  /** Where the text that comes next begins. */
  readonly context: MarkContext;
}

export function createTurnText(emit: (event: TurnParserEvent) => void): TurnText {
  let textIsOpen = false;
  let reasoningHasText = false;
  let context: MarkContext = { atTurnStart: true, atBlockStart: true, lineIsBlank: true };

  function seeLine(text: string): void {
    const line = text.slice(text.lastIndexOf("\n") + 1);
    const isWholeLine = text.includes("\n") || context.lineIsBlank;
    context = { ...context, lineIsBlank: isWholeLine && line.trim() === "" };
  }

  return {
    sayText(text) {
      const shown = textIsOpen ? text : text.trimStart();
      seeLine(text);
      if (shown === "") return;
      if (!textIsOpen) emit({ type: "text-start" });
      textIsOpen = true;
      context = { ...context, atTurnStart: false, atBlockStart: false };
      emit({ type: "text-delta", text: shown });
    },
    endText() {
      if (textIsOpen) emit({ type: "text-end" });
      textIsOpen = false;
      context = { ...context, atBlockStart: true };
    },
    beginReasoning() {
      reasoningHasText = false;
      context = { ...context, lineIsBlank: true };
      emit({ type: "reasoning-start" });
    },
    sayReasoning(text) {
      const shown = reasoningHasText ? text : text.trimStart();
      seeLine(text);
      if (shown === "") return;
      reasoningHasText = true;
      emit({ type: "reasoning-delta", text: shown });
    },
    endReasoning() {
      context = { ...context, atBlockStart: true };
      emit({ type: "reasoning-end" });
    },
    passSection() {
      context = { atTurnStart: false, atBlockStart: true, lineIsBlank: true };
    },
    get context() {
      return context;
    },
  };
}
