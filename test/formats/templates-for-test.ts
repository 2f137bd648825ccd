// Small templates of our own with the traits that real ones have. None is a copy of a model's.
import { createTemplateRenderer, type TemplateRenderer } from "../../src/formats/index.ts";

/** Roles as they are, no tools, no calls: what models without tool training have. */
export const bareTemplate = `{% for m in messages %}[{{ m['role'] }}]
{{ m['content'] }}[end]
{% endfor %}{% if add_generation_prompt %}[assistant]
{% endif %}`;

/** Tools in the system turn, calls between tags, results in a user's turn, thinking by a switch. */
export const taggedTemplate = `{%- if tools %}[system]
{% if messages[0].role == 'system' %}{{ messages[0].content }}
{% endif %}Tools:{% for tool in tools %}{{ '\\n' }}{{ tool | tojson }}{% endfor %}[end]
{% elif messages[0].role == 'system' %}[system]
{{ messages[0].content }}[end]
{% endif %}{% for m in messages %}{% if m.role == 'user' or (m.role == 'assistant' and not m.tool_calls) %}[{{ m.role }}]
{{ m.content }}[end]
{% elif m.role == 'assistant' %}[assistant]{% if m.content %}
{{ m.content }}{% endif %}{% for call in m.tool_calls %}{{ '\\n' }}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}[end]
{% elif m.role == 'tool' %}[user]
<result>
{{ m.content }}
</result>[end]
{% endif %}{% endfor %}{% if add_generation_prompt %}[assistant]
{% if enable_thinking %}<think>
{% endif %}{% endif %}`;

/** No system turn, strict alternation, raises on anything else. */
export const strictTemplate = `{{ bos_token }}{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system role') }}{% endif %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}`;

/** Expects arguments as a string, and writes one call only. */
export const stringTemplate = `{% for m in messages %}({{ m.role }}){% if m.tool_calls %}{% if m.tool_calls | length > 1 %}{{ raise_exception('one call only') }}{% endif %}{% if m.tool_calls[0].function.arguments is not string %}{{ raise_exception('arguments must be a string') }}{% endif %}<tool_call>{"name": "{{ m.tool_calls[0].function.name }}", "arguments": {{ m.tool_calls[0].function.arguments }}}</tool_call>{% else %}{{ m.content }}{% endif %}{% endfor %}{% if add_generation_prompt %}(assistant){% endif %}`;

/** Opens the reasoning in its generation prompt and drops calls and results. */
export const reasoningTemplate = `{% for m in messages %}{% if m.role != 'tool' %}|{{ m.role }}|{{ m.content }}
{% endif %}{% endfor %}{% if add_generation_prompt %}|assistant|<think>
{% endif %}`;

/** Shows tools, and calls in a form of its own. */
export const strangeTemplate = `{% if tools %}TOOLS:{{ tools | tojson }}{% endif %}{% for m in messages %}({{ m.role }}){{ m.content }}{% for call in m.tool_calls or [] %}@{{ call.function.name }} {{ call.function.arguments | tojson }}{% endfor %}{% endfor %}{% if add_generation_prompt %}(assistant){% endif %}`;

/** A renderer of one of these, on a day of our own. */
export function rendererOf(template: string): TemplateRenderer {
  return createTemplateRenderer({
    template,
    beginText: "<s>",
    endText: "</s>",
    date: new Date(2026, 2, 5, 14, 7, 9),
  });
}
