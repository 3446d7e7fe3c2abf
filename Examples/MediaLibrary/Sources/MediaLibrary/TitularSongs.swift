import CoreDataMedia

/// The songs that have the name of their album, in the same case, sorted by title.
func titularSongs(in library: MPMediaLibrary) throws -> [MPMediaItem] {
    let query = MPMediaQuery.songs(in: library)
    query.addFilterPredicate(MPMediaFormatPredicate(NSPredicate(format: "title == albumTitle")))
    return try query.items()
}
