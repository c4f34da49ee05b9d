"""Step 1 of the gateway: who may do what, where; authority follows the channel alone."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.item import Item
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place, kind_of, session_scope

#: Actions that only a person may take, and only with a key typed for that very command.
CONFIRMED = frozenset({"approve", "verify", "rule", "policy", "override", "undo_reject"})

#: Actions that only a person may take.
PERSONAL = CONFIRMED | frozenset({"reject", "restore", "pin", "unpin", "switch", "decline"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Ruling:
    """What step 1 decided."""

    #: allow · propose · refuse
    verdict: str
    #: stable code of the rule that decided
    rule: str = ""
    #: the sentence for a refusal
    say: str = ""


ALLOW = Ruling(verdict="allow")


def _refuse(rule: str, say: str) -> Ruling:
    return Ruling(verdict="refuse", rule=f"authority.{rule}", say=say)


def is_private(
    scope: str, principal: Principal, place: Place, *, single_user: bool = True
) -> bool:
    """Whether a scope is the caller's own working ground.

    Its own session, its own agent; branch, workstream and project only in a store with one
    user, and never the repository's default branch.
    """
    kind = kind_of(scope)
    if kind in ("session", "agent"):
        return owns(scope, principal, place)
    if not single_user:
        return False
    if kind == "branch":
        return scope == place.branch and not place.main_branch
    return kind in ("workstream", "project") and scope in (place.workstream, place.project)


def owns(scope: str, principal: Principal, place: Place) -> bool:
    """Whether an `agent:` or `session:` scope belongs to this caller, as its channel proves."""
    if kind_of(scope) == "agent":
        return bool(principal.agent) and scope == f"agent:{principal.agent}"
    if not principal.agent:
        return False
    return scope in (place.session, session_scope(principal.agent, principal.session))


def rule_on_scope(scope: str, principal: Principal, place: Place) -> Ruling:
    """Whether the caller may name that scope at all, for reading or writing."""
    if principal.is_person or kind_of(scope) not in ("agent", "session"):
        return ALLOW
    if owns(scope, principal, place):
        return ALLOW
    return _refuse(
        "foreign_scope",
        "That scope belongs to another agent or session. Use repo, branch, project or your own.",
    )


def rule_on_place(principal: Principal, place: Place) -> Ruling:
    """Any change at all: one from a client that does not say where it works is refused."""
    if principal.channel == "mcp" and not place.cwd:
        return _refuse(
            "nowhere",
            "The client does not say where it works, so memories can only be read here.",
        )
    return ALLOW


def rule_on_write(scope: str, kind: str, principal: Principal, place: Place) -> Ruling:
    """A new statement: active, proposed or refused."""
    named = rule_on_scope(scope, principal, place)
    if named.verdict == "refuse":
        return named
    somewhere = rule_on_place(principal, place)
    if somewhere.verdict == "refuse":
        return somewhere
    if kind == "rule":
        return rule_on_personal("rule", principal)
    if principal.is_person:
        return ALLOW
    if principal.writer == "system":
        return ALLOW
    if principal.writer == "file":
        return ALLOW if kind_of(scope) in ("repo", "project") else Ruling(verdict="propose")
    if principal.writer != "agent":
        return Ruling(verdict="propose", rule="authority.outside_writer")
    if principal.headless:
        return Ruling(verdict="propose", rule="authority.headless")
    if is_private(scope, principal, place):
        return ALLOW
    return Ruling(verdict="propose", rule="authority.shared_scope")


def rule_on_personal(action: str, principal: Principal) -> Ruling:
    """Actions of PERSONAL and CONFIRMED."""
    if not principal.is_person:
        return _refuse(
            f"{action}_needs_person",
            f"Only a person may {_verb(action)}. Ask the user to do it in their own terminal.",
        )
    if action in CONFIRMED and not principal.confirmed:
        return _refuse(
            f"{action}_needs_key",
            f"To {_verb(action)}, type the key that is asked for on your own terminal.",
        )
    return ALLOW


def rule_on_item(action: str, item: Item, principal: Principal, place: Place) -> Ruling:
    """Changing an existing item: revise, archive, dispute, forget and the personal actions."""
    named = rule_on_scope(item.scope, principal, place)
    if named.verdict == "refuse":
        return named
    if item.kind == "rule":
        return rule_on_personal("rule", principal)
    if action in PERSONAL:
        return rule_on_personal(action, principal)
    if principal.is_person:
        own = item.head.author.same_party(principal)
        if action == "forget" and not own and not principal.confirmed:
            return rule_on_personal_forget()
        return ALLOW
    return _rule_on_agents_change(action, item, principal, place)


def rule_on_personal_forget() -> Ruling:
    """Forgetting what another wrote wants a typed key as well."""
    return _refuse(
        "forget_needs_key",
        "To forget what another wrote, type the key that is asked for on your own terminal.",
    )


def _rule_on_agents_change(action: str, item: Item, principal: Principal, place: Place) -> Ruling:
    own = item.head.author.same_party(principal)
    unreviewed = item.verification in ("unverified", "corroborated")
    private = is_private(item.scope, principal, place)
    if own and unreviewed and not principal.headless and (private or item.status == "proposed"):
        return ALLOW
    if action in ("revise", "forget", "dispute"):
        return Ruling(verdict="propose", rule="authority.not_your_own")
    return _refuse(
        "not_your_own",
        "An agent may change only its own unreviewed notes. Ask the user to do it.",
    )


def _verb(action: str) -> str:
    return {
        "rule": "set a rule",
        "policy": "change the review policy",
        "override": "bring back a rejected value",
        "switch": "turn saving on or off",
        "undo_reject": "undo a rejection",
        "pin": "pin or unpin a memory",
        "unpin": "pin or unpin a memory",
    }.get(action, f"{action} a memory")
