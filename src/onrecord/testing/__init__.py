"""What every store must do, as tests: inherit a suite, give it a `store` fixture, run pytest.

    class TestMyStore(StoreSuite, TenantSuite, ConcurrencySuite, DurableSuite):
        @pytest.fixture
        def store(self): ...               a fresh, empty store
        @pytest.fixture
        def other_tenant_store(self): ...  a store of another tenant in the same place
        @pytest.fixture
        def reopen(self): ...              a callable: one more handle on the place of `store`

`pytest.register_assert_rewrite("onrecord.testing")` in a conftest makes failures tell more.
Nothing here imports pytest.
"""
