"""The tool in the forms that agent hosts take."""
