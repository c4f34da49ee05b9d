"""What is counted of answers: recall, rank, gain, what must not be found, and saying nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from onrecord.evals.corpus import Question

#: Recall is counted among so many of the best.
CUTS: Final = (1, 5, 10, 20)


def recall_at(cut: int, relevant: Iterable[str], got: Sequence[str]) -> float:
    """How much of what fits into `cut` places was found there; 0 to 1."""
    wanted = set(relevant)
    return sum(name in wanted for name in got[:cut]) / min(len(wanted), cut)


def reciprocal_rank(relevant: Iterable[str], got: Sequence[str]) -> float:
    """1 / place of the first right answer; 0 without one."""
    wanted = set(relevant)
    return next((1 / place for place, name in enumerate(got, 1) if name in wanted), 0.0)


def gain(relevant: Mapping[str, int], got: Sequence[str], cut: int = 10) -> float:
    """Discounted gain (nDCG) of graded answers, 0 to 1.

    Järvelin and Kekäläinen 2002, with the gain 2^grade - 1.
    """
    ideal = _discounted(sorted(relevant.values(), reverse=True)[:cut])
    return _discounted([relevant.get(name, 0) for name in got[:cut]]) / ideal


def _discounted(grades: Sequence[int]) -> float:
    return math.fsum((2.0**one - 1) / math.log2(place + 2) for place, one in enumerate(grades))


def measure(question: Question, got: Sequence[str], k: int) -> dict[str, Any]:
    """What one answer is worth; recall and rank only where something answers the question."""
    row: dict[str, Any] = {
        "id": question.id,
        "class": question.kind,
        "got": list(got),
        "forbidden": sorted(set(got) & question.forbidden),
        "empty": not got,
        "answerable": bool(question.relevant),
    }
    if question.relevant:
        for cut in CUTS:
            if cut <= k:
                row[f"recall_at_{cut}"] = recall_at(cut, question.relevant, got)
        row["mrr"] = reciprocal_rank(question.relevant, got)
        row["ndcg_at_10"] = gain(question.relevant, got)
    return row


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Means over answers, and how many hold something forbidden."""
    means: dict[str, Any] = {"questions": len(rows)}
    names = [name for name in _names(rows) if name.startswith(("recall", "mrr", "ndcg"))]
    for name in names:
        values = [row[name] for row in rows if name in row]
        means[name] = round(sum(values) / len(values), 4)
    means["forbidden"] = sum(bool(row["forbidden"]) for row in rows)
    means["empty"] = sum(row["empty"] for row in rows)
    return means


def _names(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def in_units(scored: Sequence[tuple[str, float]], units: Mapping[str, str]) -> list[str]:
    """Larger units, best first, by the (document, score) that were found of each.

    A unit counts as its best document and three tenths of each of the next three.
    """
    found: dict[str, list[float]] = {}
    for name, score in scored:
        found.setdefault(units[name], []).append(score)
    worth = {
        unit: scores[0] + 0.3 * sum(scores[1:4])
        for unit, scores in ((unit, sorted(some, reverse=True)) for unit, some in found.items())
    }
    return sorted(worth, key=lambda unit: -worth[unit])


def abstention(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Precision, recall and F1 of answering that there is nothing; 0 where undefined."""
    said = sum(row["empty"] for row in rows)
    true = sum(not row["answerable"] for row in rows)
    right = sum(row["empty"] and not row["answerable"] for row in rows)
    precision = right / said if said else 0.0
    found = right / true if true else 0.0
    both = precision + found
    f1 = 2 * precision * found / both if both else 0.0
    return {"precision": round(precision, 4), "recall": round(found, 4), "f1": round(f1, 4)}
