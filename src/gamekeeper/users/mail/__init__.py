"""Mail: messages rendered from templates and handed to an SMTP server."""
