"""Runs BFCL's own checker over answers: a line {"id", "category", "error"} out for each.

The answers are lines {"id", "category", "answer"} on standard input, or the result files of a folder in BFCL's layout.

`error` is null where the answer is right, else BFCL's error type; "crash: …" where the checker itself raises.
The rules are the wheel's, unchanged. What they import besides (model handlers with their SDKs, file locks) has no part in
a verdict and is left out. Usage: python bfcl-referee.py WHEEL < answers > verdicts, or WHEEL FOLDER > verdicts
"""

import json
import pathlib
import re
import sys
import types
import zipfile

wheel = zipfile.ZipFile(sys.argv[1])
sys.path.insert(0, sys.argv[1])


class NoModels(dict):
    """Every model is one that keeps the dots in names."""

    def __missing__(self, name):
        return types.SimpleNamespace(underscore_to_dot=False)


def leave_out(name, **members):
    module = types.ModuleType(name)
    module.__dict__.update(members)
    sys.modules[name] = module


leave_out("bfcl_eval.constants.model_config", MODEL_CONFIG_MAPPING=NoModels())
leave_out("filelock", FileLock=object)

from bfcl_eval.constants.enums import Language  # noqa: E402
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # noqa: E402
from bfcl_eval.utils import is_empty_output, is_function_calling_format_output  # noqa: E402


def is_decodable(answer):
    """What the handler of `katanemo/Arch-Agent-1.5B` takes as it is."""
    return type(answer) is list and all(type(call) is dict for call in answer)


languages = {"simple_java": Language.JAVA, "simple_javascript": Language.JAVASCRIPT}


def judge(item, truth, answer):
    category = item["category"]
    if "relevance" in category:
        calls = is_decodable(answer) and not is_empty_output(answer)
        if "irrelevance" in category:
            return "irrelevance_error:decoder_success" if calls else None
        return None if calls else "relevance_error:decoder_failed"
    if not is_decodable(answer):
        return "ast_decoder:decoder_failed"
    if not is_function_calling_format_output(answer):
        return "ast_decoder:decoder_wrong_output_format"
    verdict = ast_checker(item["function"], answer, truth, languages.get(category, Language.PYTHON), category, "any")
    return None if verdict["valid"] else verdict["error_type"]


def read_lines(name):
    return [json.loads(line) for line in wheel.read(name).decode("utf8").split("\n") if line]


def load(category):
    name = f"BFCL_v4_{category}.json"
    items = read_lines(f"bfcl_eval/data/{name}")
    if "relevance" in category:
        truths = [None] * len(items)
    else:
        truths = [entry["ground_truth"] for entry in read_lines(f"bfcl_eval/data/possible_answer/{name}")]
    return {item["id"]: ({**item, "category": category}, truth) for item, truth in zip(items, truths, strict=True)}


def read_requests():
    if len(sys.argv) < 3:
        yield from (json.loads(line) for line in sys.stdin)
        return
    for path in sorted(pathlib.Path(sys.argv[2]).glob("*/*/BFCL_v4_*_result.json")):
        category = re.fullmatch("BFCL_v4_(.*)_result.json", path.name).group(1)
        for line in path.read_text("utf8").split("\n"):
            if line:
                entry = json.loads(line)
                yield {"id": entry["id"], "category": category, "answer": entry["result"]}


known = {}
for request in read_requests():
    category = request["category"]
    if category not in known:
        known[category] = load(category)
    item, truth = known[category][request["id"]]
    try:
        error = judge(item, truth, request["answer"])
    except Exception as reason:  # the wheel's rules raise on some shapes; that is a finding of its own
        error = f"crash: {type(reason).__name__}: {reason}"
    print(json.dumps({"id": request["id"], "category": category, "error": error}))
