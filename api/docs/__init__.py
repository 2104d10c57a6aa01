"""What describes the routes: the OpenAPI document and its page."""
