"""PostgreSQL for the tests: made by the owner, used as the application's role, emptied only where nothing else is possible."""
