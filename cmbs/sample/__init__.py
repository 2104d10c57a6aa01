"""Made-up incidents to try queries on."""
