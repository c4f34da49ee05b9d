"""What the doctor says of a repository's own `.onrecord.toml`."""

from __future__ import annotations

import os
from collections.abc import Iterator

from onrecord.capture import project_file
from onrecord.domain.scope import Place
from onrecord.service.doctoring import Finding

_FIX = "docs/reference/settings.md says what such a file can do; switches are yours: onrecord off"


def told_at(place: Place) -> project_file.Told | None:
    """What the file at the top of a place's working tree says; None where there is none."""
    if not place.root:
        return None
    path = f"{place.root}/{project_file.NAME}"
    if not os.path.lexists(path):
        return None
    try:
        file = os.open(path, project_file.FLAGS)
    except OSError:
        told = project_file.Told()
        told.unread = "it is a link, or cannot be opened"
        return told
    return project_file.read(file)


def in_force(place: Place, told: project_file.Told) -> list[str]:
    """What the file narrows here, in words; a project counts where it is the place's."""
    found = [f"{name} off" for name in told.off]
    found += [f"packs of {told.most} tokens at most"] if told.most else []
    return [*found, f"project {told.project}"] if _is_obeyed(place, told) else found


def examine_project_file(place: Place) -> Iterator[Finding]:
    """That it is obeyed, what in it is not, or why it is not read."""
    told = told_at(place)
    if told is None:
        return
    name = project_file.NAME
    if told.unread:
        yield Finding(
            code="project_file.unread",
            level="warn",
            say=f"{name} of this repository is not read: {told.unread}.",
            fix=_FIX,
        )
        return
    narrowed = in_force(place, told)
    if narrowed:
        yield Finding(
            code="project_file.obeyed",
            level="note",
            say=f"{name} of this repository narrows what happens here: {', '.join(narrowed)}.",
        )
    ignored = told.ignored
    if told.project and not _is_obeyed(place, told):
        ignored = (*ignored, "project")
    if ignored:
        yield Finding(
            code="project_file.ignored",
            level="warn",
            say=f"{name} of this repository says what is not obeyed:"
            f" {project_file.names(ignored)}.",
            fix=_FIX,
        )


def _is_obeyed(place: Place, told: project_file.Told) -> bool:
    return bool(told.project) and place.chosen == told.project
