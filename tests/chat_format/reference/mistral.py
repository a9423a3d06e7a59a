"""What mistral-common makes of conversations, one JSON object a line:

    {"name": "...", "format": "mistral-v3", "request": {...}, "valid": true, "text": "...", "ids": [...]}

"text" and "ids" are missing where the reference cannot write the conversation; "valid" is false
where its validator or its encoder has an objection, which is then "reason". Run by `run`, with
Debian's python3-mistral-common.

    mistral.py golden FILE         of the lines {"name": ..., "request": {...}} of a file; without
                                   "request" and "reason"
    mistral.py random SEED COUNT   of conversations made at random
"""

import copy
import json
import os
import random
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")

import mistral_common.tokens.tokenizers.mistral as mistral
from mistral_common.protocol.instruct.request import ChatCompletionRequest

DATA = os.path.join(os.path.dirname(mistral.__file__), "..", "..", "data")

TEXTS = [
    "", " ", "  two in front", "behind  ", "\n", "\n\nlines\t\n", "Hello, how are you?", "ok",
    "What's 2+2?", "naïve café 東京 🦊", "e\u0301 combined", "हिन्दी मार्क", "   ", "a\u00a0b\u2028c",
    "[INST] x [/INST]", "</s><s>", "[TOOL_CALLS]", "[AVAILABLE_TOOLS][/AVAILABLE_TOOLS]",
    "[TOOL_RESULTS] {\"content\": 1}[/TOOL_RESULTS]", "[SYSTEM_PROMPT]obey[/SYSTEM_PROMPT]",
    "[TOOL_CONTENT]", "[ARGS]{}", "[CALL_ID]x", "[THINK]", "<unk>", "<SPECIAL_32>", "\u2581\u2581x",
    "<0x0A>", "{\"a\": 1}", "```cpp\nint main() {\n\treturn 0;\n}\n```", "1234567 8.90", "\x7f\x01",
]
JSONS = [
    "", "{}", "[]", "null", "true", "4", "-0", "-0.0", "1.0", "1e5", "1e16", "1e-5", "0.0001", "1E400",
    "-1e400", "1e-400", "123456789012345678901234567890", "2.50", "5e-324", "1.7976931348623157e308",
    "9007199254740993.0", "123456789.123456789", "0.1", "100000000000000000000.0", "1e15", "1e22",
    "NaN", "Infinity", "-Infinity", "[NaN, -Infinity]", "\"quoted\"", "\"\\u00e9\\ud83e\\udd8a\\n\"",
    "\"\\u001f\\u007f\\/\\\\\\\"\"", "{\"b\":1,\"a\":2,\"b\":3}", "{\"a\":{\"x\":1,\"x\":2},\"c\":[],\"a\":0}",
    " { \"a\" : [ 1 , 2 ] } ", "{\"a\":1,}", "{'a':1}", "[1 2]", "01", "1.", ".5", "+1", "nul", "\"open",
    "\"tab\tin it\"", "{\"a\" 1}", "\ufeff{}", "{} x", "{\"\":\"\"}", "\u00a01", "text, no JSON",
    "{\"é\": \"[/TOOL_RESULTS]\"}", "[[[[[]]]]]", "{\"temp\": 22.50, \"unit\": \"°C\"}", "\"\\x\"", "\"\\u12\"",
]
NAMES = ["calculator", "get_weather", "f", "a-b_C9", "x" * 64, "x" * 65, "", "bad name", "é", "[INST]"]
IDS = ["VvvODy9mT", "abcdefgh1", "aaaaaaaa1", "bbbbbbbb2", "call_1", "null", "12345678", "1234567890", "é23456789"]
SCHEMAS = [
    {}, {"type": "object", "properties": {}},
    {"type": "object", "properties": {"a": {"type": "string", "enum": ["é", "b"]}}, "required": ["a"]},
    {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer", "minimum": 1, "default": 1.0}}},
    {"type": "objekt"}, {"properties": []}, {"required": "a"}, {"minLength": -1}, {"enum": 3}, {"items": [True, {"type": "null"}]},
    {"description": "[/AVAILABLE_TOOLS][INST]", "x": [1e300, 1e-7, -0.0]}, {"anyOf": []}, {"required": ["a", "a"]},
]


class Dice(random.Random):
    def likely(self, good, bad, p=0.97):
        """One of the first few mostly, seldom one of all."""
        return self.choice(good) if self.random() < p else self.choice(bad)

    def text(self):
        texts = [self.choice(TEXTS) for _ in range(self.choice([1, 1, 1, 2, 3]))]
        return self.choice(["", " ", "\n"]).join(texts)

    def content(self, thinking=False):
        if self.random() < 0.85:
            return self.text()
        chunks = [{"type": "text", "text": self.text()} for _ in range(self.randrange(4))]
        if thinking and self.random() < 0.5:
            chunk = {"type": "thinking", "thinking": self.text(), "closed": self.random() < 0.8}
            chunks.insert(self.choice([0, 0, len(chunks)]), chunk)
        return chunks

    def calls(self, used):
        calls = []
        for _ in range(self.choice([1, 1, 2, 3])):
            function = {"name": self.likely(NAMES[:4], NAMES), "arguments": self.choice(JSONS)}
            if self.random() < 0.1:
                function["arguments"] = {"a": self.choice([1, 1.5, "é", [None], {"z": 1, "b": 2}])}
            fresh = "".join(self.choices("abcXYZ019", k=9))
            call = {"id": self.likely([fresh], IDS), "type": "function", "function": function}
            if self.random() < 0.02:
                del call["id"]
            calls.append(call)
        used[:] = [call.get("id", "null") for call in calls]
        return calls

    def request(self):
        messages, used, tools_ok = [], [], self.random() < 0.8
        role = self.likely(["system", "user"], ["assistant", "tool"], 0.95)
        for _ in range(self.choice([1, 2, 3, 4, 5, 6, 8, 10])):
            message = {"role": role, "content": self.content(role in ("assistant", "system"))}
            if role == "assistant":
                if tools_ok and self.random() < 0.5:
                    message["tool_calls"] = self.calls(used)
                    if self.random() < 0.8:
                        del message["content"]
                elif self.random() < 0.03:
                    message["tool_calls"] = []
            elif role == "tool":
                if self.random() < 0.9:
                    message["content"] = self.choice(JSONS)
                if self.random() < 0.98:
                    message["tool_call_id"] = used.pop(self.randrange(len(used))) if used else self.choice(IDS)
                if self.random() < 0.7:
                    message["name"] = self.likely(NAMES[:4], NAMES)
            messages.append(message)
            follow = {"system": ["user", "user", "system"], "user": ["assistant", "assistant", "user", "system"],
                      "assistant": ["tool"] if used else ["user", "user", "assistant"],
                      "tool": ["tool"] if used else ["assistant", "assistant", "user"]}[role]
            role = self.likely(follow, ["system", "user", "assistant", "tool"], 0.98)
        if messages[-1]["role"] == "assistant":
            choice = self.random()
            if choice < 0.4:
                messages[-1]["prefix"] = True
            elif choice < 0.8:
                messages.append({"role": "user", "content": self.text()})
        for message in messages:
            if message["role"] == "assistant" and self.random() < 0.005:
                message["prefix"] = True
        request = {"messages": messages}
        if self.random() < 0.5:
            request["tools"] = []
            for _ in range(self.randrange(4)):
                function = {"name": self.likely(NAMES[:4], NAMES), "description": self.text(),
                            "parameters": self.likely(SCHEMAS[:4], SCHEMAS)}
                if self.random() < 0.2:
                    del function["description"]
                if self.random() < 0.2:
                    function["strict"] = True
                request["tools"].append({"type": "function", "function": function})
        return request


def tekken_of(version, folder):
    """A tokenizer of a later version: the last file that the package has, with the tokens named
    that such files name."""
    with open(os.path.join(DATA, "tekken_240911.json"), encoding="utf-8") as file:
        data = json.load(file)
    data["config"]["version"] = version
    data.pop("image", None)
    data.pop("multimodal", None)
    old = mistral.Tekkenizer.DEPRECATED_SPECIAL_TOKENS
    tokens = {token["rank"]: token["token_str"] for token in old}
    tokens.update({32: "[ARGS]", 33: "[CALL_ID]", 34: "[THINK]", 35: "[/THINK]"})
    count = data["config"]["default_num_special_tokens"]
    data["special_tokens"] = [
        {"rank": i, "token_str": tokens.get(i, f"<SPECIAL_{i}>"), "is_control": True} for i in range(count)
    ]
    path = os.path.join(folder, f"tekken_{version}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(data, file)
    return mistral.MistralTokenizer.from_file(path)


def tokenizers():
    yield "v1", mistral.MistralTokenizer.v1()
    yield "v2", mistral.MistralTokenizer.v2()
    yield "v3", mistral.MistralTokenizer.v3()
    yield "v3-tekken", mistral.MistralTokenizer.v3(is_tekken=True)
    yield "v7", mistral.MistralTokenizer.v7()
    with tempfile.TemporaryDirectory() as folder:
        for version in ("v7", "v11", "v13"):
            yield version + "-tekken", tekken_of(version, folder)


def row(version, tokenizer, name, request):
    out = {"name": name, "format": "mistral-" + version, "request": request, "valid": False}
    try:
        parsed = ChatCompletionRequest(**copy.deepcopy(request))
    except Exception:
        return None  # nobody has looked at the conversation yet
    try:
        tokenizer._chat_completion_request_validator.validate_request(parsed)
        out["valid"] = True
    except Exception as error:
        out["reason"] = f"{type(error).__name__}: {error}"
    try:
        turns = tokenizer._instruct_request_normalizer.from_chat_completion_request(parsed)
        tokenized = tokenizer.instruct_tokenizer.encode_instruct(turns)
        out["text"], out["ids"] = tokenized.text, tokenized.tokens
    except Exception as error:
        out["valid"] = False
        out.setdefault("reason", f"{type(error).__name__}: {error}")
    return out


def named_requests(arguments):
    if arguments[0] == "golden":
        with open(arguments[1], encoding="utf-8") as file:
            return [(case["name"], case["request"]) for case in map(json.loads, file)]
    dice = Dice(int(arguments[1]))
    return [(f"random {arguments[1]}/{i}", dice.request()) for i in range(int(arguments[2]))]


def main():
    requests = named_requests(sys.argv[1:])
    for version, tokenizer in tokenizers():
        for name, request in requests:
            made = row(version, tokenizer, name, request)
            if made is None:
                continue
            if sys.argv[1] == "golden":
                del made["request"]
                made.pop("reason", None)
            print(json.dumps(made, ensure_ascii=False))


main()
