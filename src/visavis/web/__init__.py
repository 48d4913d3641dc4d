"""What every server of the house needs: headers that guard its pages, and a place to listen."""
