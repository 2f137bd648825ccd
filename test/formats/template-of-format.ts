// Which of llama.cpp's chat templates writes past calls in a format. Formats that are missing here have none there that does.

/** Names of templates by the format's name. */
export const templateOf: Readonly<Record<string, string>> = {
  "hermes-json": "Qwen-Qwen2.5-7B-Instruct",
  "llama3-json": "meta-llama-Llama-3.2-3B-Instruct",
  "mistral-args": "unsloth-mistral-Devstral-Small-2507",
  "mistral-list": "mistralai-Mistral-Nemo-Instruct-2407",
  nemotron2: "NVIDIA-Nemotron-Nano-v2",
  "deepseek-r1": "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B",
  harmony: "openai-gpt-oss-120b",
  "qwen-xml": "Qwen3-Coder",
  "glm-xml": "GLM-4.6",
  "lfm-py": "LFM2.5-8B-A1B",
  gemma4: "google-gemma-4-31B-it",
};
