"""What the figures of docs/performance.md are measured with, and the mutation of the rules."""
