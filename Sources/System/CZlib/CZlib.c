// The headers hold everything; this file gives the build a source.
