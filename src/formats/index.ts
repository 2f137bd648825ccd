export { createEnvelopeReader } from "./call-envelope.ts";
export { type ChatPrompt, chatReasoning } from "./chat-api.ts";
export { chooseFormats, type FormatChoice, type FormatChoiceRequest } from "./choose-format.ts";
export type {
  CallReader,
  CallReaderEvent,
  ChatTemplate,
  Constraint,
  ConstraintRequest,
  Format,
  LayoutOptions,
  Locate,
  OfferedTool,
  Opener,
  PromptPart,
  PromptRequest,
  ReadableFormat,
  ReadCall,
  ReaderOptions,
  TemplateInput,
  TemplateRenderer,
  TemplateTraits,
  WriteOptions,
  WrittenCall,
} from "./format.ts";
export { anyJsonFence } from "./json-fence.ts";
export { findFormat, formats } from "./known-formats.ts";
export { isKnownTemplate } from "./known-templates.ts";
export { probeTemplate } from "./probe-template.ts";
export { type BareValue, readBareValue } from "./read-bare-value.ts";
export {
  bareMarks,
  findReasoningMarks,
  type ReasoningMarks,
  reasoningAtEnd,
} from "./reasoning-marks.ts";
export { rehearseTemplate } from "./rehearse-template.ts";
export {
  createTemplateRenderer,
  type TemplateEngine,
  type TemplateRendererOptions,
} from "./render-template.ts";
export { templateMends } from "./template-mends.ts";
export { mostTemplateText } from "./template-size.ts";
export {
  createTurnParser,
  type OpenedCall,
  type TurnParser,
  type TurnParserOptions,
} from "./turn-parser.ts";
export type { TurnParserEvent } from "./turn-text.ts";
