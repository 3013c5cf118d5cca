"""The languages of pages and mails: negotiation by Accept-Language, and their catalogues."""
