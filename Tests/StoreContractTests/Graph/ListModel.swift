import CoreData
import StoreContract

/// Lists with ordered and unordered relationships, with and without inverses.
enum ListModel {
    static func make() -> NSManagedObjectModel {
        let builder = ModelBuilder()
        builder.entity("Playlist", class: "StoreContractTests.Playlist", ["name": .stringAttributeType])
        builder.entity(
            "Song", class: "StoreContractTests.Song",
            ["name": .stringAttributeType, "length": .integer32AttributeType])
        builder.entity("Tag", ["name": .stringAttributeType])
        builder.relationships("Playlist.songs*!", "Song.playlist")
        builder.relationships("Playlist.tags*!", "Tag.playlists*")
        builder.relationships("Playlist.favourites*", "Song.fans*")
        builder.relationships("Playlist.drafts*", "Song.drafting")
        builder.relationship("Playlist.extras*", to: "Song")
        builder.relationship("Playlist.queue*!", to: "Song")
        return builder.model
    }

    static func stack(_ kind: StoreKind) throws -> Stack { try Stack(make(), kind: kind) }
}

/// A list with accessors in all the forms that generated and hand-written classes have.
final class Playlist: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([
        .stored("name"), .stored("songs"), .stored("favourites"), .stored("drafts"),
    ])

    var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var songs: NSOrderedSet? {
        get { toMany(1) }
        set { setToMany(1, newValue) }
    }
    var songList: [Song] {
        get { toMany(1) }
        set { setToMany(1, newValue) }
    }
    var favourites: NSSet? {
        get { toMany(2) }
        set { setToMany(2, newValue) }
    }
    var drafts: Set<Song>? {
        get { toMany(3) }
        set { setToMany(3, newValue) }
    }

    func addToSongs(_ song: Song) { addToMany(1, song) }
    func addToSongs(_ songs: NSOrderedSet) { addToMany(1, songs) }
    func removeFromSongs(_ song: Song) { removeFromMany(1, song) }
    func removeFromSongs(_ songs: NSOrderedSet) { removeFromMany(1, songs) }
    func insertIntoSongs(_ song: Song, at index: Int) { insertIntoMany(1, song, at: index) }
    func insertIntoSongs(_ songs: [Song], at indexes: NSIndexSet) {
        insertIntoMany(1, songs, at: IndexSet(indexes))
    }
    func removeFromSongs(at index: Int) { removeFromMany(1, at: index) }
    func removeFromSongs(at indexes: NSIndexSet) { removeFromMany(1, at: IndexSet(indexes)) }
    func replaceSongs(at index: Int, with song: Song) { replaceInMany(1, at: index, with: song) }
    func replaceSongs(at indexes: NSIndexSet, with songs: [Song]) {
        replaceInMany(1, at: IndexSet(indexes), with: songs)
    }
    func addToFavourites(_ song: Song) { addToMany(2, song) }
    func addToFavourites(_ songs: NSSet) { addToMany(2, songs) }
    func removeFromFavourites(_ song: Song) { removeFromMany(2, song) }
    func removeFromFavourites(_ songs: NSSet) { removeFromMany(2, songs) }
    func addToDrafts(_ songs: Set<Song>) { addToMany(3, songs) }
    func removeFromDrafts(_ songs: Set<Song>) { removeFromMany(3, songs) }
}

final class Song: NSManagedObject {
    override class var propertyTable: PropertyTable { table }
    private static let table = PropertyTable([.stored("name"), .stored("playlist")])

    var name: String? {
        get { attribute(0) }
        set { setAttribute(0, newValue) }
    }
    var playlist: Playlist? {
        get { toOne(1) }
        set { setToOne(1, newValue) }
    }
}

extension Stack {
    /// A list and some songs named by numbers, which are saved.
    func playlist(songs count: Int) throws -> (Playlist, [Song]) {
        let list = Playlist(context: context)
        let songs = (0..<count).map { number in
            let song = Song(context: context)
            song.name = "\(number)"
            song.setValue(number, forKey: "length")
            return song
        }
        try context.save()
        return (list, songs)
    }
}
