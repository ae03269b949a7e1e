"""Widgets and services shared by all pages."""
