import Foundation
import SwiftData

/// Relationships with an order, with rules that forbid deletions, and with mandatory inverses.
@Model
final class Playlist {
    var name: String
    @Relationship(.ordered, deleteRule: .nullify, inverse: \Song.playlists) var songs: [Song] = []
    @Relationship(.ordered, deleteRule: .cascade, inverse: \Comment.playlist) var comments: [Comment] = []
    init(name: String) { self.name = name }
}

@Model
final class Song {
    var title: String
    var playlists: [Playlist] = []
    /// A song with a label cannot be without it.
    var label: Label
    init(title: String, label: Label) {
        self.title = title
        self.label = label
    }
}

@Model
final class Comment {
    var text: String
    var playlist: Playlist?
    init(text: String) { self.text = text }
}

@Model
final class Label {
    var name: String
    @Relationship(deleteRule: .deny, inverse: \Song.label) var songs: [Song] = []
    init(name: String) { self.name = name }
}

/// Songs whose label is deleted without a rule: their mandatory relationship would be empty.
@Model
final class Disc {
    var name: String
    @Relationship(deleteRule: .nullify, inverse: \Track.disc) var tracks: [Track] = []
    init(name: String) { self.name = name }
}

@Model
final class Track {
    var title: String
    var disc: Disc
    init(title: String, disc: Disc) {
        self.title = title
        self.disc = disc
    }
}

/// A class without an index, and the same with some.
enum CatalogV1 {
    @Model
    final class Article {
        var code: String
        var price: Double
        init(code: String, price: Double) {
            self.code = code
            self.price = price
        }
    }
}

enum CatalogV2 {
    @Model
    final class Article {
        #Index<Article>([\.code], [\.price, \.code])
        var code: String
        var price: Double
        init(code: String, price: Double) {
            self.code = code
            self.price = price
        }
    }
}

/// An option `ordered` for one model.
@Model
final class Misplaced {
    @Relationship(.ordered) var song: Song?
    init() {}
}
