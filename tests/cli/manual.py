"""Runs the examples of docs/manual.md, as documents.py says."""
import documents

raise SystemExit(documents.main("docs/manual.md"))
