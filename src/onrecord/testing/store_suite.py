"""The whole suite that every store passes, put together from one class a noun."""

from __future__ import annotations

from onrecord.testing.beside_suite import BesideSuite
from onrecord.testing.concurrency_suite import ConcurrencySuite
from onrecord.testing.continuity_suite import ContinuitySuite
from onrecord.testing.deliveries_suite import DeliveriesSuite
from onrecord.testing.durable_suite import DurableSuite
from onrecord.testing.erase_suite import EraseSuite
from onrecord.testing.events_suite import EventsSuite
from onrecord.testing.guards_suite import GuardsSuite
from onrecord.testing.handoffs_suite import HandoffsSuite
from onrecord.testing.index_suite import IndexSuite
from onrecord.testing.items_suite import ItemsSuite
from onrecord.testing.joins_suite import JoinsSuite
from onrecord.testing.limits_suite import LimitsSuite
from onrecord.testing.listing_suite import ListingSuite, PagingSuite
from onrecord.testing.matching_suite import MatchingSuite
from onrecord.testing.outbox_suite import AnswersSuite, OutboxSuite
from onrecord.testing.provenance_suite import ProvenanceSuite
from onrecord.testing.refusals_suite import RefusalsSuite
from onrecord.testing.reminders_suite import RemindersSuite
from onrecord.testing.revising_suite import RevisingSuite
from onrecord.testing.scopes_suite import ScopesSuite, SettingsSuite
from onrecord.testing.sessions_suite import SessionsSuite
from onrecord.testing.shelf_suite import StandingSuite
from onrecord.testing.states_suite import StatesSuite
from onrecord.testing.tenants_suite import TenantSuite
from onrecord.testing.tombstones_suite import TombstonesSuite
from onrecord.testing.transactions_suite import TransactionsSuite
from onrecord.testing.vectors_suite import VectorsSuite
from onrecord.testing.visibility_suite import VisibilitySuite

__all__ = ["ConcurrencySuite", "DurableSuite", "StoreSuite", "TenantSuite"]


class StoreSuite(
    ItemsSuite,
    RemindersSuite,
    RevisingSuite,
    StatesSuite,
    GuardsSuite,
    ListingSuite,
    PagingSuite,
    ProvenanceSuite,
    EraseSuite,
    TombstonesSuite,
    EventsSuite,
    SessionsSuite,
    JoinsSuite,
    HandoffsSuite,
    DeliveriesSuite,
    ScopesSuite,
    SettingsSuite,
    IndexSuite,
    OutboxSuite,
    AnswersSuite,
    VectorsSuite,
    StandingSuite,
    BesideSuite,
    ContinuitySuite,
    MatchingSuite,
    VisibilitySuite,
    TransactionsSuite,
    RefusalsSuite,
    LimitsSuite,
):
    """Every port of a store. Takes the fixture `store`: fresh and empty."""
