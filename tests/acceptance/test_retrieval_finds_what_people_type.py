"""retrieval.finds_what_people_type: in every way that people write it, through every door."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from onrecord.policy.fence import parse
from recalling import Doors, text_of

if TYPE_CHECKING:
    from pathlib import Path

ITEMS: Final = (
    ("parseInvoiceLine trims the unit column", "It lives in `billing/parse_line.py`."),
    ("The ledger uses Postgres 16.4", "Upgraded from 15.9 on 2025-03-02."),
    ("ERR_LEDGER_LOCKED means that two writers met", "Retry with jitter, three times."),
    ("Run the nightly job with --dry-run first", "The flag MAX_BATCH_SIZE is 500."),
    ("The depot's heat-pump is read every ten minutes", "By com.acme.depot.HeatPumpReader."),
    ("Certificates of the kiosk rotate every 45 days", "The rotation is a cron job."),
    ("Café Orangerie gets its invoices on paper", "Frau Schröder asked for it."),
    ("重大故障复盘会议每周四下午三点举行", "会议室在二楼。"),
    ("日本語の請求書では消費税を別行にする", "税率は十パーセント。"),
    ("배터리 예열은 출발 삼십 분 전에 시작한다", "겨울에만."),
    ("Migrations run before the deployment", "Never afterwards."),
    ("Reviewers answer within a day", "Or say when they will."),
)
#: (as typed, the title that must come first)
TYPED: Final = (
    # identifiers, whole and in part, in every case
    ("parseInvoiceLine", ITEMS[0]),
    ("parse_invoice_line", ITEMS[0]),
    ("parse-invoice-line", ITEMS[0]),
    ("invoice line", ITEMS[0]),
    ("billing/parse_line.py", ITEMS[0]),
    ("parse_line.py", ITEMS[0]),
    ("MAX_BATCH_SIZE", ITEMS[3]),
    ("maxBatchSize", ITEMS[3]),
    ("--dry-run", ITEMS[3]),
    ("com.acme.depot.HeatPumpReader", ITEMS[4]),
    ("HeatPumpReader", ITEMS[4]),
    # versions, dates, error codes, hyphens
    ("postgres 16.4", ITEMS[1]),
    ("2025-03-02", ITEMS[1]),
    ("ERR_LEDGER_LOCKED", ITEMS[2]),
    ("err ledger locked", ITEMS[2]),
    ("heat pump", ITEMS[4]),
    ("heatpump", ITEMS[4]),
    # accents and spellings, scripts without spaces
    ("cafe orangerie", ITEMS[6]),
    ("schroeder", ITEMS[6]),
    ("Schroder", ITEMS[6]),
    ("故障复盘会议", ITEMS[7]),
    ("請求書の消費税", ITEMS[8]),
    ("배터리 예열", ITEMS[9]),
    # stems, a last word that is not finished, slips
    ("rotating certificate", ITEMS[5]),
    ("migrate", ITEMS[10]),
    ("kiosk certif", ITEMS[5]),
    ("review", ITEMS[11]),
    ("certifcates of the kiosk", ITEMS[5]),
    ("imgrations before the deployment", ITEMS[10]),
)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    """A store with the items."""
    folder: Path = tmp_path_factory.mktemp("typed")
    made = Doors(folder)
    made.seed(ITEMS)
    return made


def test_retrieval_finds_what_people_type_in_the_library(doors: Doors) -> None:
    """Each text brings up its item first."""
    answers = doors.library("recall", [text for text, _ in TYPED])

    first = [answer["hits"][0]["item"]["title"] if answer["hits"] else "" for answer in answers]
    assert dict(zip([text for text, _ in TYPED], first, strict=True)) == {
        text: title for text, (title, _) in TYPED
    }


def test_retrieval_finds_what_people_type_through_the_server(doors: Doors) -> None:
    """The same, as an agent reads it."""
    answers = doors.server("recall", [text for text, _ in TYPED])

    missed = [
        text
        for (text, (title, _)), answer in zip(TYPED, answers, strict=True)
        if not text_of(answer) or title not in parse(text_of(answer))[0].title
    ]
    assert missed == []


@pytest.mark.parametrize(("text", "item"), TYPED[::6])
def test_retrieval_finds_what_people_type_on_the_command_line(
    doors: Doors, text: str, item: tuple[str, str]
) -> None:
    """A sample of every sort."""
    found = doors.command("recall", "--json", "--", text)

    assert found["hits"][0]["item"]["title"] == item[0]


def test_retrieval_says_what_it_looked_for_instead(doors: Doors) -> None:
    """A word that nothing has is told with the one taken for it; one that is there is not."""
    slip, right = "certifcates of the kiosk", "certificates of the kiosk"
    told = [{"given": "certifcates", "taken": "certificates"}]

    by_library = doors.library("recall", [slip, right])
    assert [answer["corrected"] for answer in by_library] == [told, []]
    assert doors.command("recall", "--json", slip)["corrected"] == told
    by_server = [text_of(answer) for answer in doors.server("recall", [slip, right])]
    said = "searched for `certificates` instead of `certifcates`"
    assert [said in text for text in by_server] == [True, False]


def test_retrieval_mends_by_no_word_of_another_scope(doors: Doors) -> None:
    """What stands where the query does not look is not told by way of a correction."""
    doors.seed([("The zeppelins are blue", "And full of air.")], scope="agent:codex")

    (hidden,) = doors.library("recall", ["zepelins"], scope="global")
    assert (hidden["hits"], hidden["corrected"]) == ([], [])
    (seen,) = doors.library("recall", ["zepelins"], scope="agent:codex")
    assert seen["corrected"] == [{"given": "zepelins", "taken": "zeppelins"}]
