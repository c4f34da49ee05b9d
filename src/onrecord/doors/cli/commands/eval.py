"""Measure how well recall finds, or which of the acceptance criteria hold.

`eval retrieval` asks a corpus of questions with known answers. It is kept in a store of its own
in a temporary folder, which goes afterwards; yours is not touched. Formats: `typed` (a folder
with items.jsonl and queries.jsonl), `locomo` (a file of conversations), `precisionmembench` (a
folder with its fixtures). Recall@k, MRR and nDCG count what was found; `forbidden` counts
questions that brought up what they must not; abstention is how well it says that there is
nothing.

`eval governance` runs the acceptance tests of a checkout of onrecord, all of them in minutes, and
says for each criterion: pass, fail, partly run (some of its tests need what this machine lacks),
not run, or not built yet. Status 0 means that everything that is built passes.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from onrecord.domain.errors import UsageError
from onrecord.domain.plural import counted
from onrecord.doors.cli.desk import Desk
from onrecord.doors.cli.files import new_private_file
from onrecord.doors.cli.progress import Progress
from onrecord.service.answers import MODES
from onrecord.service.semantic_settings import PACKAGED

if TYPE_CHECKING:
    from onrecord.evals.governance import Report
    from onrecord.evals.retrieval import Evaluation

EXAMPLES = """examples:
  onrecord eval retrieval --data corpora/typed/dev
  onrecord eval retrieval --data corpora/typed/dev --mode lexical --mode hybrid
  onrecord eval retrieval --data locomo.json -k 20 --out result.json
  onrecord eval governance
  onrecord eval governance --section A
  onrecord eval governance scope.typo_is_told deletion.no_residue
"""

_COLUMNS = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "ndcg_at_10", "forbidden")


def add(parser: argparse.ArgumentParser) -> None:
    """Declare the command's words."""
    parser.add_argument("what", choices=["retrieval", "governance"], help="what is measured")
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help="governance: these criteria alone (default: all)"
    )
    parser.add_argument("--data", default="", metavar="PATH", help="retrieval: the corpus")
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
    parser.add_argument(
        "--section",
        action="append",
        default=[],
        metavar="LETTER",
        help="governance: the criteria of a section, A to F; repeat for more",
    )
    parser.add_argument(
        "--checkout",
        default="",
        metavar="FOLDER",
        help="governance: where the tests are (default: the checkout that onrecord is run from)",
    )
    parser.add_argument(
        "--workers", type=int, default=2, metavar="N", help="governance: processes that run tests"
    )
    parser.add_argument("--out", metavar="FILE", help="write everything, each question too")


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Measure, and show a table."""
    return _governance(args, desk) if args.what == "governance" else _retrieval(args, desk)


def _retrieval(args: argparse.Namespace, desk: Desk) -> int:
    from onrecord.evals import corpus, retrieval

    if not args.data:
        raise UsageError("`eval retrieval` needs --data. Nothing was measured.")
    if args.ids or args.section or args.checkout:
        raise UsageError("Ids, --section and --checkout go with `eval governance`.")
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
        _write(args.out, every[0] if len(every) == 1 else {"modes": every})
    if desk.as_json:
        short = [{name: one[name] for name in one if name != "questions"} for one in every]
        desk.data(short[0] if len(short) == 1 else {"modes": short})
        return 0
    for found in all_found:
        _show(found, desk)
    return 0


def _governance(args: argparse.Namespace, desk: Desk) -> int:
    from onrecord.evals import governance

    if args.data or args.format or args.mode or args.model:
        raise UsageError("--data, --format, --mode and --model go with `eval retrieval`.")
    if args.workers < 1:
        raise UsageError("--workers is 1 or more. Nothing was run.")
    criteria = governance.chosen(args.ids, args.section)
    root = governance.checkout(args.checkout)
    progress = Progress(quiet=desk.as_json)
    progress.stage("running the acceptance tests")
    try:
        report = governance.run(criteria, root, workers=args.workers, tell=progress.step)
    finally:
        progress.end()
    if args.out:
        _write(args.out, report.to_json())
    if desk.as_json:
        desk.data(report.to_json())
    else:
        _show_verdicts(report, desk)
    return 0 if report.good else 1


def _write(path: str, shape: Any) -> None:
    with new_private_file(path) as file:
        file.write(f"{json.dumps(shape, indent=1)}\n".encode())


def _show_verdicts(report: Report, desk: Desk) -> None:
    from onrecord.evals.criteria import SECTIONS

    letter = ""
    for one in report.verdicts:
        if one.criterion.section != letter:
            letter = one.criterion.section
            desk.say(f"{letter}. {SECTIONS[letter]}")
        counts = [f"{one.passed} passed"] if one.passed else []
        counts += [f"{one.failed} failed"] if one.failed else []
        counts += [f"{one.skipped} not run"] if one.skipped else []
        desk.say(f"  {one.criterion.id:<44} {one.state:<13} {', '.join(counts)}".rstrip())
        for test in one.failing:
            desk.say(f"    {test}")
    told = ", ".join(f"{n} {state}" for state, n in report.counts.items() if n)
    tests = counted(report.tests, "test")
    desk.say(f"{told}; {tests} in {report.seconds:.0f} s")


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
