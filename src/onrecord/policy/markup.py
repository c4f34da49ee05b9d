"""Finds markup that acts: on a renderer, on a chat template, or on the fence of a pack."""

from __future__ import annotations

from onrecord.policy.fold import skeleton
from onrecord.policy.regex import Pattern

__all__ = ["find_markup"]

#: Mentions of syntax in inline code are not acts; a fence's own lines stay.
_INLINE_CODE = Pattern(r"`[^`\n]{1,120}`")
_COMMENT = Pattern(r"<!--([\s\S]*?)(?:-->|$)")
_COMMENT_WORDS = 3

_URL = r"(?:https?:|ftps?:|//|data:)"
_ACTIVE = r"(?:javascript|vbscript|data|file|command|vscode[a-z-]*)"
_FILLED = r"(?:\{\{|\$\{|\$\(|%7b%7b|\[\[)"
_ROLE = r"(?:human|user|assistant|system|developer|ai|tool|claude|chatgpt|gpt)"
_FENCED = (
    r"(?:onrecord[a-z_-]*|memor(?:y|ies)|context|system|system[_-]prompt|system-reminder"
    r"|instructions?"
    r"|tool_(?:result|output|call|use)s?|function_(?:results?|calls?)|untrusted[a-z_-]*"
    r"|retrieved[a-z_-]*"
    r"|user_(?:input|query|message)|search_results?|reference)"
)

#: What is looked for outside inline code: (flag, anchors of which one must occur, pattern).
_OUTSIDE: tuple[tuple[str, tuple[str, ...], Pattern], ...] = (
    ("image", ("![",), Pattern(rf"!\[[^\]\n]*\]\(\s*<?\s*{_URL}")),
    (
        "image",
        ("<",),
        Pattern(
            r"<(?:img|iframe|object|embed|video|audio|input|image)\b[^>]*"
            rf"\b(?:src|srcset|href|data|poster)\s*=\s*[\"']?\s*(?:{_URL}|javascript:)"
        ),
    ),
    (
        "link",
        ("](", "<a ", "<"),
        Pattern(
            rf"\]\(\s*<?\s*{_ACTIVE}:|<{_ACTIVE}:[^>\s]|<[a-z]+\b[^>]*\s(?:on[a-z]+\s*="
            rf"|href\s*=\s*[\"']?\s*{_ACTIVE}:)"
        ),
    ),
    ("link", ("](",), Pattern(rf"\]\(\s*<?{_URL}[^)\n]*{_FILLED}")),
    (
        "link",
        ("://",),
        Pattern(
            r"https?://\S*[?&=/](?:\{\{|\$\{|\{|<|\[)\s*(?:conversation|context|memor|history"
            r"|transcript|chat"
            r"|prompt|secrets?|env\b|system)"
        ),
    ),
    (
        "template",
        (
            "<|",
            "[inst]",
            "[/inst]",
            "<<sys>>",
            "<start_of_turn",
            "<end_of_turn",
            "[system_prompt",
            "[available_tools",
            "[tool_",
        ),
        Pattern(
            r"<\|[^|<>\n]{1,40}\|>|\[/?inst\]|<</?sys>>|</?(?:start|end)_of_turn>|\[/?"
            r"(?:system_prompt"
            r"|available_tools|tool_calls|tool_results)\]"
        ),
    ),
    (
        "fence",
        ("</", "<system"),
        Pattern(
            rf"</\s*{_FENCED}(?:\s[^>\n]*)?>|<(?:system|system[_-]prompt|system-reminder)"
            rf"(?:\s[^>\n]*)?>"
        ),
    ),
    (
        "fence",
        ("end", "begin", "start"),
        Pattern(
            r"(?m)^[^\p{L}\p{N}\n]*(?:end|begin|start)(?: of)?(?: the| this)? (?:memor(?:y|ies)"
            r"|context|document"
            r"|input|data|instructions?|(?:system )?prompt|conversation|reference|tool (?:output"
            r"|result)|quot"
            r"(?:e|ation)|untrusted (?:content|data|input)|user (?:input|data|message)|search "
            r"results?|message)"
            r"(?: block| section)?[^\p{L}\p{N}\n]*$"
        ),
    ),
    (
        "tool",
        ('"type"', "'type'", "tool_calls", "function_call", "tools/call", "<"),
        Pattern(
            r"[\"']type[\"']\s*:\s*[\"'](?:[a-z_]*tool_use|tool_result|function_call"
            r"|function_call_output"
            r"|tool_call)[\"']|[\"'](?:tool_calls?|function_call)[\"']\s*:\s*[\[{]"
            r"|[\"']method[\"']\s*:\s*"
            r"[\"']tools/call|<(?:invoke|function_calls?|tool_call|tool_use|antml:[a-z_]+)\b"
        ),
    ),
    (
        "role",
        ("role",),
        Pattern(
            r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|developer)[\"']\s*,\s*[\"']"
            r"(?:content|parts)[\"']"
        ),
    ),
    (
        "hidden",
        ("style", "hidden", "color", "phantom", "]:"),
        Pattern(
            r"style\s*=\s*[\"'][^\"'\n]*(?:display\s*:\s*none|visibility\s*:\s*hidden"
            r"|font-size\s*:\s*0"
            r"|opacity\s*:\s*0(?:[;\"']|\.0)|color\s*:\s*(?:white|#fff|transparent))"
            r"|<[a-z]+\b[^>]*\shidden[\s>]"
            r"|\\(?:text)?color\{white\}|\\phantom\{|(?m)^\s*\[(?://|comment|_)[^\]\n]*\]:\s*"
            r"(?:#|<>)"
        ),
    ),
)
#: A reference definition that would carry something out in its query.
_REFERENCE = Pattern(
    rf"(?m)^\[[^\]\n^]+\]:\s*<?(?:{_URL}\S*(?:[?#]"
    rf"|\{{\{{|\$\{{)|(?:javascript|vbscript|data|command):)"
)
_REFERENCE_DEFINED = Pattern(rf"(?m)^\[[^\]\n^]+\]:\s*<?{_URL}")
_IMAGE_BY_REFERENCE = Pattern(r"!\[[^\]\n]*\](?:\[|[^(\[]|$)")
_TURN = Pattern(rf"(?m)^[ >*_#-]*({_ROLE})[ *_]*:")
_LONE_TURN = Pattern(r"(?:^|\n\n)(?:human|assistant):")
_DIRECTIVE_TURN = Pattern(
    r"(?m)^[ >*_#-]*(?:system|developer)[ *_]*: ?(?:you (?:are|must|will|should)|ignore|from now"
    r"|override|new"
    r" |always|never|the user|disregard|comply|execute|act )"
)
_ALPACA = Pattern(r"(?m)^#{1,6} ?(?:instruction|response|input|system|assistant|human) ?:\s*$")
_OTHER_SPEAKERS = frozenset({"assistant", "ai", "human", "claude", "chatgpt", "gpt"})

_PADDING = Pattern(r"[ \t\x{00a0}]{200,}\S|\n{40,}\s*\S")


def find_markup(text: str) -> list[str]:
    """The flags a text raises (`markup.<what>`), each once. The text must be encodable."""
    whole = skeleton(text)
    outside = _INLINE_CODE.replace(whole, lambda _: " code ") if "`" in whole else whole
    found = [
        f"markup.{flag}"
        for flag, anchors, pattern in _OUTSIDE
        if any(anchor in outside for anchor in anchors) and pattern.search(outside)
    ]
    if "<!--" in outside and _speaks_in_comment(outside):
        found.append("markup.comment")
    if "]:" in whole and _refers_out(whole, outside):
        found.append("markup.reference")
    if ":" in whole and _takes_a_turn(whole):
        found.append("markup.role")
    if _PADDING.search(text):
        found.append("markup.padding")
    return list(dict.fromkeys(found))


def _speaks_in_comment(text: str) -> bool:
    """Whether an HTML comment holds a message rather than a marker for a tool."""
    return any(len(one.group(1).split()) >= _COMMENT_WORDS for one in _COMMENT.finditer(text))


def _refers_out(whole: str, outside: str) -> bool:
    if _REFERENCE.search(whole):
        return True
    return bool(_IMAGE_BY_REFERENCE.search(outside) and _REFERENCE_DEFINED.search(whole))


def _takes_a_turn(text: str) -> bool:
    """Whether lines pose as turns of a conversation between a person and a model."""
    speakers = {one.group(1) for one in _TURN.finditer(text)}
    if len(speakers) > 1 and speakers & _OTHER_SPEAKERS:
        return True
    if speakers & {"human", "assistant"} and _LONE_TURN.search(text):
        return True
    if speakers & {"system", "developer"} and _DIRECTIVE_TURN.search(text):
        return True
    return len({one.group() for one in _ALPACA.finditer(text)}) > 1
