"""The only room that makes anything happen: it walks the plan, carries out runs, and keeps what they said."""
