"""Carry out a plan: start servers and programs, load them, check their responses, store what was recorded.

The only package with side effects. A check of responses belongs in ``response_checks``.
"""
