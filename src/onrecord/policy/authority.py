"""Step 1 of the gateway: who may do what, where; authority follows the channel alone."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place, kind_of, session_scope

#: Actions that only a person may take, and only with a key typed for that very command.
CONFIRMED = frozenset(
    {
        "purge",
        "approve",
        "verify",
        "rule",
        "policy",
        "override",
        "undo_reject",
        "reconcile",
    }
)

#: Actions that only a person may take.
PERSONAL = CONFIRMED | frozenset(
    {"reject", "restore", "pin", "unpin", "switch", "decline", "scope", "tidy"}
)

#: Writers whose text comes from outside the user's own words and tools: it stays tainted.
OUTSIDE_WRITERS = frozenset({"import", "file", "webhook", "summariser"})


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


def rule_on_reach(scope: str, principal: Principal, place: Place) -> Ruling:
    """Whether a scope argument stays inside what the channel proves of an agent's place."""
    named = rule_on_scope(scope, principal, place)
    if named.verdict == "refuse" or principal.writer != "agent":
        return named
    if owns(scope, principal, place) or scope in place.ladder():
        return ALLOW
    return _refuse(
        "outside_scope",
        "That scope is not one of this session's; a scope can only narrow where it works."
        " Leave it out, or ask the user to save it there.",
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
    for ruling in (rule_on_reach(scope, principal, place), rule_on_place(principal, place)):
        if ruling.verdict == "refuse":
            return ruling
    if kind == "rule":
        return rule_on_personal("rule", principal)
    held = _why_held(scope, principal, place)
    return Ruling(verdict="propose", rule=f"authority.{held}") if held else ALLOW


def _why_held(scope: str, principal: Principal, place: Place) -> str:
    """The rule that lets a statement wait, empty where none does."""
    if principal.is_person or principal.writer == "system":
        return ""
    if principal.writer == "file":
        return "" if kind_of(scope) in ("repo", "project") else "outside_writer"
    if principal.writer != "agent":
        return "outside_writer"
    if principal.headless:
        return "headless"
    return "" if is_private(scope, principal, place) else "shared_scope"


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
    private = is_own_ground(item, principal, place)
    # it may word its proposal anew or withdraw it; erasing it would leave a tombstone for all
    free = private or (item.status == "proposed" and action != "forget")
    if own and unreviewed and free and not principal.headless:
        return ALLOW
    if action in ("revise", "forget", "dispute", "stale"):
        return Ruling(verdict="propose", rule="authority.not_your_own")
    return _refuse(
        "not_your_own",
        "An agent may change only its own unreviewed notes. Ask the user to do it.",
    )


def is_own_ground(item: Item, principal: Principal, place: Place) -> bool:
    """Whether an item is in a private scope of the caller; an agent's own, in its repository."""
    if not is_private(item.scope, principal, place):
        return False
    noted_in = item.head.where.repo
    return kind_of(item.scope) != "agent" or noted_in in (place.repo or "", *place.former)


def rule_on_undo(
    event: Event, item: Item, effect: str, principal: Principal, place: Place
) -> Ruling:
    """Taking a change back.

    `effect` names the personal action that it amounts to, empty where it amounts to none. An
    agent takes back its own private changes alone; whether it is the latest is the caller's
    to find out.
    """
    if item.kind == "rule":
        return rule_on_personal("rule", principal)
    if effect:
        return rule_on_personal(effect, principal)
    if principal.is_person:
        return ALLOW
    own = event.by.same_party(principal) and event.by.session == principal.session
    if own and is_own_ground(item, principal, place) and not principal.headless:
        return ALLOW
    return rule_on_agents_undo()


def rule_on_opinion(event: Event, principal: Principal) -> Ruling:
    """Taking back what somebody said of a memory; an agent what its own session said."""
    own = event.by.same_party(principal) and event.by.session == principal.session
    return ALLOW if own or principal.is_person else rule_on_agents_undo()


def rule_on_agents_undo() -> Ruling:
    """What an agent is told that may not take a change back."""
    return _refuse(
        "undo_not_your_own",
        "An agent may undo only its own latest private change. Ask the user to undo it.",
    )


def rule_on_agents_cancel() -> Ruling:
    """What an agent is told that may not cancel a handoff."""
    return _refuse(
        "cancel_not_your_own",
        "An agent may cancel only a handoff that it wrote or claimed. Ask the user to do it.",
    )


def rule_on_claim(to_agent: str, principal: Principal) -> Ruling:
    """Taking a handoff over: one for an agent by name is that agent's, or a person's."""
    if principal.is_person or to_agent in ("", principal.agent):
        return ALLOW
    return _refuse(
        "claim_not_for_you",
        "That handoff is for another agent, so it was not taken over. Ask the user, who can take"
        " it over (`onrecord handoffs claim ID`) or write one for you (`onrecord handoff --for`).",
    )


def _verb(action: str) -> str:
    return {
        "rule": "set a rule",
        "policy": "change what waits and what is read",
        "override": "bring back a rejected value",
        "switch": "turn saving on or off",
        "undo_reject": "undo a rejection",
        "scope": "give a scope another name",
        "tidy": "put several memories away at once",
        "purge": "purge memories",
        "reconcile": "decide between two memories",
        "pin": "pin or unpin a memory",
        "unpin": "pin or unpin a memory",
    }.get(action, f"{action} a memory")
