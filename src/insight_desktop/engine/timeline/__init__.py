"""What every timeline needs: lanes, depth rows, level of detail, links, search."""
