"""Who plays whom: pure engines. Each gives the same pairing for the same input, and says which engine, version and input it was."""
