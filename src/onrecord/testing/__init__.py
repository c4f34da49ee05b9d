"""What every store must do, as tests: inherit the suites, give them fixtures, run pytest.

    class TestMyStore(StoreSuite, TenantSuite, ConcurrencySuite, DurableSuite):
        @pytest.fixture
        def store(self): ...               a fresh, empty store
        @pytest.fixture
        def other_tenant_store(self): ...  a store of another tenant in the same place
        @pytest.fixture
        def reopen(self): ...              a callable: one more handle on the place of `store`

`store_suite` has the suites, one file a noun behind it; `builders` makes domain objects with
fixed times and ids; `rich` has objects whose every field is set; `observables` tells all that
a store shows as one value, and `side_by_side` runs two stores and compares them by it.

Nothing here imports a test framework. `pytest.register_assert_rewrite("onrecord.testing")`
in a conftest makes failures tell more.
"""
