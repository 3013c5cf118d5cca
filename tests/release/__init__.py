"""What a release is made of: version, changelog, sdist, wheel."""
