"""League Honors: bestowed by a procedure, never computed alone; computed is who is eligible (ROD-40 … ROD-50)."""
