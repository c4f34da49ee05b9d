"""Measure how well recall finds, on a corpus of questions with known answers.

The corpus is kept in a store of its own in a temporary folder, which goes afterwards; yours is
not touched. Formats: `typed` (a folder with items.jsonl and queries.jsonl), `locomo` (a file of
conversations), `precisionmembench` (a folder with its fixtures). Recall@k, MRR and nDCG count
what was found; `forbidden` counts questions that brought up what they must not; abstention is
how well it says that there is nothing.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.files import new_private_file
from onrecord.doors.cli.progress import Progress
from onrecord.service.answers import MODES
from onrecord.service.semantic_settings import PACKAGED

if TYPE_CHECKING:
    from onrecord.evals.retrieval import Evaluation

EXAMPLES = """examples:
  onrecord eval retrieval --data corpora/typed/dev
  onrecord eval retrieval --data corpora/typed/dev --mode lexical --mode hybrid
  onrecord eval retrieval --data locomo.json -k 20 --out result.json
"""

_COLUMNS = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10", "forbidden")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("what", choices=["retrieval"], help="what is measured")
    parser.add_argument("--data", required=True, metavar="PATH", help="the corpus")
    parser.add_argument(
        "--format",
        choices=["typed", "locomo", "precisionmembench"],
        default="",
        help="its format (default: the one that it looks like)",
    )
    parser.add_argument(
        "--mode",
        action="append",
        default=[],
        choices=MODES,
        help="by words (default), by meaning, or by both; repeat to see them side by side",
    )
    parser.add_argument("--model", default="", metavar="NAME", help="as in `onrecord reindex`")
    parser.add_argument("-k", type=int, default=10, help="so many answers at most, 1 to 20")
    parser.add_argument("--out", metavar="FILE", help="write everything, each question too")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Measure, and show a table."""
    from onrecord.domain.errors import UsageError
    from onrecord.evals import corpus, retrieval

    if not 1 <= args.k <= retrieval.MAX_K:
        message = f"-k is 1 to {retrieval.MAX_K}. Nothing was measured."
        raise UsageError(message)
    asked = corpus.read(args.data, args.format)
    progress = Progress(quiet=desk.as_json)
    try:
        all_found = retrieval.side_by_side(
            asked,
            tuple(dict.fromkeys(args.mode)) or ("lexical",),
            k=args.k,
            semantic=desk.config.tables.get("semantic", {}),
            model=args.model or PACKAGED,
            tell=progress.step,
        )
    finally:
        progress.end()
    every = [found.to_json() for found in all_found]
    if args.out:
        whole = every[0] if len(every) == 1 else {"modes": every}
        with new_private_file(args.out) as file:
            file.write(f"{json.dumps(whole, indent=1)}\n".encode())
    if desk.as_json:
        short = [{name: one[name] for name in one if name != "questions"} for one in every]
        desk.data(short[0] if len(short) == 1 else {"modes": short})
        return 0
    for found in all_found:
        _show(found, desk)
    return 0


def _show(found: Evaluation, desk: Desk) -> None:
    names = ("R@1", "R@5", "R@10", "MRR", "nDCG@10", "forbidden")
    documents = counted(found.documents, "document")
    desk.say(f"{found.corpus}: {documents}, {found.mode}, k = {found.k}")
    desk.say(f"{'class':32} {'n':>5} " + " ".join(f"{name:>9}" for name in names))
    for kind, row in [*found.classes.items(), ("ALL", found.overall)]:
        cells = " ".join(_cell(row, column) for column in _COLUMNS)
        desk.say(f"{kind:32} {row['questions']:>5} {cells}")
    if found.abstention:
        said = found.abstention
        desk.say(
            f"saying nothing: precision {said['precision']:.3f}, "
            f"recall {said['recall']:.3f}, F1 {said['f1']:.3f}"
        )
    if found.units:
        desk.say(
            f"by unit: recall@10 {found.units['recall_at_10']:.3f}, "
            f"hit@10 {found.units['hit_at_10']:.3f}"
        )
    desk.say(f"one recall: median {found.p50_ms:.1f} ms, 99 % within {found.p99_ms:.1f} ms")


def _cell(row: dict[str, Any], column: str) -> str:
    value = row.get(column)
    if value is None:
        return f"{'-':>9}"
    return f"{value:>9}" if isinstance(value, int) else f"{value:>9.3f}"
