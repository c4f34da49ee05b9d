"""Repositories are found without running git, and their settings never run anything."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.capture import git, git_config
from onrecord.domain import scope
from unit.capture.repositories import repository, run


def found(folder: Path) -> git.Repository:
    """The repository of a folder, which must be in one."""
    seen = git.locate(str(folder))
    assert seen is not None
    return seen


def test_a_repository_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    """Root, branch, commit and origin are those that git tells."""
    repo = repository(tmp_path / "repo", "https://example.org/acme/site.git")
    (repo / "deep" / "er").mkdir(parents=True)
    seen = found(repo / "deep" / "er")

    assert (seen.root, seen.main_root, seen.bare) == (str(repo), str(repo), False)
    assert seen.branch == "main"
    assert seen.head == run(repo, "rev-parse", "HEAD")
    assert seen.origin == "https://example.org/acme/site.git"
    assert seen.key == "example.org/acme/site"


def test_worktrees_share_the_main_checkout(tmp_path: Path) -> None:
    """A linked worktree has its own root and branch, and the same key."""
    repo = repository(tmp_path / "repo")
    run(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    seen = found(tmp_path / "linked")

    assert (seen.root, seen.main_root, seen.branch) == (
        str(tmp_path / "linked"),
        str(repo),
        "side",
    )
    assert seen.key == found(repo).key == f"path:{repo}"
    assert seen.head == found(repo).head


@pytest.mark.parametrize("settings", ["", "[core]\n\tworktree = /\n"], ids=["bare", "elsewhere"])
def test_a_git_folder_that_a_clone_brings_along_names_no_origin(
    tmp_path: Path, settings: str
) -> None:
    """Its author could name any repository there, and be told what is on record of that."""
    repo = repository(tmp_path / "repo", "https://example.org/acme/site.git")
    brought = repo / "docs"
    run(tmp_path, "init", "-q", "--bare", str(brought))
    told = '[remote "origin"]\n\turl = https://example.org/acme/victim.git\n' + settings
    (brought / "config").write_text(told, encoding="utf-8")
    (brought / "deep").mkdir()
    shutil.copytree(brought, tmp_path / "alone.git")

    for folder in (brought, brought / "deep", brought / "refs"):
        assert (found(folder).key, found(folder).root) == ("example.org/acme/site", str(repo))
    # outside of a checkout it is a repository of its own
    assert found(tmp_path / "alone.git").key == "example.org/acme/victim"


def test_a_worktree_of_a_bare_repository(tmp_path: Path) -> None:
    """Without a main checkout, the bare repository is what its worktrees share."""
    repo = repository(tmp_path / "repo")
    run(tmp_path, "clone", "-q", "--bare", str(repo), "bare.git")
    run(tmp_path / "bare.git", "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    bare, linked = found(tmp_path / "bare.git"), found(tmp_path / "linked")

    assert (bare.bare, bare.root, bare.branch) == (True, str(tmp_path / "bare.git"), "main")
    assert (linked.bare, linked.root, linked.branch) == (False, str(tmp_path / "linked"), "side")
    assert linked.main_root == bare.main_root == str(tmp_path / "bare.git")


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path) -> None:
    """A submodule has its own root and origin; its worktrees share them."""
    inner = repository(tmp_path / "inner")
    outer = repository(tmp_path / "outer", "https://example.org/acme/outer")
    run(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "lib")
    seen = found(outer / "lib")
    run(outer / "lib", "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))

    assert (seen.root, seen.main_root) == (str(outer / "lib"), str(outer / "lib"))
    assert seen.origin == str(inner)
    assert found(tmp_path / "linked").key == seen.key


def test_a_git_folder_elsewhere(tmp_path: Path) -> None:
    """A checkout whose git folder lies elsewhere is found, and shares it with its worktrees."""
    repo = repository(tmp_path / "repo", "", f"--separate-git-dir={tmp_path / 'store'}")
    run(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))

    assert found(repo).root == str(repo)
    assert found(repo).key == found(tmp_path / "linked").key


def test_inside_the_git_folder(tmp_path: Path) -> None:
    """A hook of git's own runs inside `.git`, and is in its checkout all the same."""
    repo = repository(tmp_path / "repo")
    run(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))

    assert found(repo / ".git" / "hooks").root == str(repo)
    assert found(repo / ".git" / "worktrees" / "linked").root == str(tmp_path / "linked")


def test_no_branch_on_a_detached_head(tmp_path: Path) -> None:
    """A detached HEAD has a commit and no branch."""
    repo = repository(tmp_path / "repo")
    head = run(repo, "rev-parse", "HEAD")
    run(repo, "checkout", "-q", "--detach")

    assert (found(repo).branch, found(repo).head) == ("", head)


def test_no_commit_before_the_first(tmp_path: Path) -> None:
    """An unborn branch has a name and no commit."""
    run(tmp_path, "init", "-q", "-b", "trunk")

    assert (found(tmp_path).branch, found(tmp_path).head) == ("trunk", "")
    assert git.default_branch(found(tmp_path)) == "trunk"


def test_a_commit_among_packed_refs(tmp_path: Path) -> None:
    """After git tidied up, the commit of the branch is still found."""
    repo = repository(tmp_path / "repo")
    run(repo, "branch", "feature/main")
    head = run(repo, "rev-parse", "HEAD")
    run(repo, "pack-refs", "--all")

    assert not (repo / ".git" / "refs" / "heads" / "main").exists()
    assert found(repo).head == head


def test_a_link_into_a_repository_leads_to_its_real_place(tmp_path: Path) -> None:
    """A folder reached through a link is where it really lies."""
    repo = repository(tmp_path / "repo")
    (tmp_path / "link").symlink_to(repo)

    assert found(tmp_path / "link").root == str(repo)


def test_the_default_branch_is_the_origins(tmp_path: Path) -> None:
    """A clone knows where its origin starts; a side branch is not the default one."""
    repo = repository(tmp_path / "repo")
    run(repo, "branch", "-m", "trunk")
    run(tmp_path, "clone", "-q", str(repo), "clone")
    run(tmp_path / "clone", "checkout", "-q", "-b", "side")

    assert git.default_branch(found(tmp_path / "clone")) == "trunk"


def test_the_default_branch_of_a_repository_without_origin(tmp_path: Path) -> None:
    """Main is the default also while a side branch is checked out; else the branch at hand is."""
    repo = repository(tmp_path / "repo")
    run(repo, "checkout", "-q", "-b", "side")
    usual = git.default_branch(found(repo))
    run(repo, "branch", "-D", "-q", "main")

    assert usual == "main"
    assert git.default_branch(found(repo)) == "side"


@pytest.mark.parametrize("cwd", ["", "relative", "/nonexistent/folder", "/a\0b", "/dev/null"])
def test_a_place_that_is_none_has_no_repository(cwd: str) -> None:
    """A folder that is gone, relative, or no folder at all is nowhere."""
    assert git.locate(cwd) is None


def test_a_folder_outside_any_repository(tmp_path: Path) -> None:
    """Most folders are in none."""
    assert git.locate(str(tmp_path)) is None


def damaged(repo: Path, kind: str) -> None:
    """Damage a repository's files in one way."""
    git_dir = repo / ".git"
    head = git_dir / "HEAD"
    if kind == "pipe":
        head.unlink()
        os.mkfifo(head)
        (git_dir / "config").unlink()
        os.mkfifo(git_dir / "config")
    elif kind == "climbing":
        head.write_text("ref: refs/heads/../../../../etc/passwd\n", encoding="utf-8")
    elif kind == "binary":
        head.write_bytes(b"\xff\x00" * 3000)
        (git_dir / "config").write_bytes(b"[remote \xff\n\x00=\x01\n" * 999)
    elif kind == "loop":
        (git_dir / "config").write_text("[include]\npath = config\n", encoding="utf-8")
    elif kind == "device":
        (git_dir / "config").write_text("[include]\npath = /dev/zero\n", encoding="utf-8")
    else:
        shutil.rmtree(git_dir)
        git_dir.write_text(
            {"none": "", "self": "gitdir: .git", "gone": "gitdir: /gone"}[kind], encoding="utf-8"
        )


@pytest.mark.parametrize(
    "kind", ["pipe", "climbing", "binary", "loop", "device", "none", "self", "gone"]
)
def test_damaged_repositories_neither_hang_nor_raise(kind: str, tmp_path: Path) -> None:
    """Pipes, loops, devices, nonsense and climbing names give no branch and no origin."""
    repo = repository(tmp_path / "repo", "https://example.org/a/b")
    damaged(repo, kind)
    seen = git.locate(str(repo))

    assert seen is None or (seen.branch, seen.head) in {("", ""), ("main", seen.head)}
    assert seen is None or kind == "climbing" or seen.origin == ""


def test_a_huge_config_is_cut(tmp_path: Path) -> None:
    """Only the beginning of an endless settings file is read."""
    repo = repository(tmp_path / "repo")
    with (repo / ".git" / "config").open("a", encoding="utf-8") as config:
        config.write(
            '[x]\ny = "' + "z" * 2_000_000 + '"\n[remote "origin"]\nurl = https://e.org/a/b\n'
        )

    assert found(repo).origin == ""


SETTINGS = r"""
# a comment
[Core]
    bare = false ; another
    flag
[remote "origin"] url = "https://example.org/a # b/c" # comment
    url = second
    push = one \
two
[remote "Or\"ig\\in"]
    url = "tab\there" and<TAB>more<SPACE>
[branch.Main]
    remote = origin
[broken
    url = nothing
[include]
    path = more
""".replace("<TAB>", "\t").replace("<SPACE>", "  ")


def test_settings_are_read_as_git_reads_them() -> None:
    """Case, quotes, escapes, comments, continued lines and old section names."""
    entries = list(git_config.parse(SETTINGS))

    assert entries[:4] == [
        ("core", "", "bare", "false"),
        ("core", "", "flag", "true"),
        ("remote", "origin", "url", "https://example.org/a # b/c"),
        ("remote", "origin", "url", "second"),
    ]
    assert ("remote", 'Or"ig\\in', "url", "tab\there and\tmore") in entries
    assert ("branch", "main", "remote", "origin") in entries
    assert ("remote", "origin", "push", "one two") in entries
    assert ("include", "", "path", "more") in entries
    assert not [entry for entry in entries if entry[3] == "nothing"]


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        "https://example.org/a/b.git",
        'with "quotes" and \\ slashes',
        "  spaces around  ",
        "semi;colon #hash",
        "tab\tand\nline",
        "",
        "\u00e9\N{GRINNING FACE}",
    ],
)
def test_what_git_writes_is_read_back(value: str, tmp_path: Path) -> None:
    """Any value that git itself stored is read as git reads it."""
    repo = repository(tmp_path / "repo")
    run(repo, "config", "remote.origin.url", value)

    assert found(repo).origin == value


def test_included_settings_count(tmp_path: Path) -> None:
    """The origin may stand in a file that the settings include, by a relative path."""
    repo = repository(tmp_path / "repo")
    (repo / ".git" / "more").write_text(
        '[remote "origin"]\n\turl = git@example.org:acme/site\n', encoding="utf-8"
    )
    run(repo, "config", "include.path", "more")

    assert found(repo).key == "example.org/acme/site"


@given(st.text())
def test_any_settings_at_all_are_survived(text: str) -> None:
    """Nothing makes the reader raise or run on."""
    list(git_config.parse(text))


SAME = [
    "https://github.com/Acme/Site",
    "https://github.com/acme/Site.git",
    "https://github.com/acme/Site/",
    "https://GitHub.com:443/acme/Site.git/",
    "https://ada:secret@github.com/acme/Site.git",
    "https://x-access-token:ghs_abc@github.com/acme/Site",
    "http://github.com/acme/Site.git",
    "ssh://git@github.com/acme/Site.git",
    "ssh://git@github.com:22/acme/Site",
    "ssh://git@ssh.github.com:443/acme/Site.git",
    "git+ssh://git@github.com/acme/Site.git",
    "git://github.com/acme/Site.git",
    "git@github.com:acme/Site.git",
    "git@github.com:/acme/Site.git",
    "github.com:acme/Site",
    "[git@github.com:2222]:acme/Site.git",
    "GIT@GITHUB.COM:ACME/Site.git",
    "https://github.com./acme//Site.git",
    "https://github.com/acme/Site.git?x=1#frag",
    " https://github.com/acme/Site\n",
]


@pytest.mark.parametrize("origin", SAME)
def test_all_spellings_of_one_repository_give_one_key(origin: str) -> None:
    """https, ssh and scp-like URLs, ports, users, `.git` and case make no difference."""
    assert git.repository_key(origin, "/home/ada/site") == "github.com/acme/Site"


@pytest.mark.parametrize(
    ("origin", "key"),
    [
        ("https://gitlab.com/Group/Sub/name.git", "gitlab.com/group/sub/name"),
        ("git@gitlab.com:group/sub/name", "gitlab.com/group/sub/name"),
        ("ssh://host/~ada/name.git", "host/~ada/name"),
        ("host:name.git", "host/-/name"),
        ("https://host/name", "host/-/name"),
        ("ssh://git@[::1]:2222/acme/site", "[::1]/acme/site"),
        ("git@[::1]:acme/site", "[::1]/acme/site"),
        ("https://host/acme/caf%C3%A9", "host/acme/caf\u00e9"),
        ("https://host/acme/cafe\u0301", "host/acme/caf\u00e9"),
        ("host:acme/site/.git", "host/acme/site"),
        ("https://host/acme/site.git.git", "host/acme/site"),
    ],
)
def test_other_hosts_and_forms(origin: str, key: str) -> None:
    """Groups, home folders, addresses, escapes and composed letters have one form each."""
    assert git.repository_key(origin, "/home/ada/site") == key
    assert scope.parse(f"repo:{key}") == f"repo:{key}"


@pytest.mark.parametrize(
    "origin",
    [
        "",
        "/srv/git/site.git",
        "../site",
        "./host:path",
        "file:///srv/git/site.git",
        "C:\\repos\\site",
        "C:/repos/site",
        "ext::sh -c 'id' %S/acme/site",
        "codecommit::eu-west-1://site",
        "https://",
        "https://host",
        "https://host/",
        "https:///acme/site",
        "https://host/acme/.git.git",
        "https://host/acme/../../site",
        "git@host:../site",
        "https://host/acme/%2e%2e/site",
        "https://host/acme/si%2Ate",
        "https://host/acme/si%zzte",
        "https://host/acme/si te",
        "https://host/acme/si\x07te",
        "https://host/acme/si\u202ete",
        "https://host/acme/" + "x" * 500,
        "javascript://host/acme/site",
    ],
)
def test_a_url_that_names_no_host_is_named_by_its_path(origin: str) -> None:
    """Local, odd and hostile origins leave a repository to its main checkout."""
    assert git.repository_key(origin, "/home/ada/site") == "path:/home/ada/site"


@given(st.text(max_size=80), st.sampled_from(["", "https://", "ssh://git@", "git@"]))
def test_a_key_is_always_safe_to_be_a_scope(text: str, start: str) -> None:
    """No URL makes a key with climbing parts, wildcards, spaces or unprintable characters."""
    key = git.repository_key(start + text, "/r")

    assert key == "path:/r" or (
        key.isprintable()
        and len(key.split("/")) > 2
        and all(part not in {"", ".", ".."} for part in key.split("/"))
        and not set(key) & set("*%@\\ ")
    )
    assert scope.parse(f"repo:{key}") == f"repo:{key}"
