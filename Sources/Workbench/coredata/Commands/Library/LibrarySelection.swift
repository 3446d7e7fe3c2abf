import CoreData
import CoreDataMedia
import CoreDataPrinting
import CoreDataWorkbench

/// Which items of a library a command is about.
enum LibrarySelection {
    static let options = [
        Option("title", value: "TEXT", help: "Only items whose title has TEXT in it, in whatever case."),
        Option("where", value: "FORMAT", help: "Only items of which a predicate is true, such as \"playCount > 3\"."),
    ]

    /// Adds the conditions of the options to a query.
    static func restrict(_ query: MPMediaQuery, _ arguments: Arguments) throws {
        if let text = arguments["title"] {
            query.addFilterPredicate(
                MPMediaPropertyPredicate(value: text, forProperty: MPMediaItemPropertyTitle, comparisonType: .contains))
        }
        guard let format = arguments["where"] else { return }
        let predicate = try ObjectQuery.parsed(format)
        if let entity = MPMediaLibrary.managedObjectModel.entitiesByName["MediaItem"] {
            try PredicateCheck(entity).check(predicate)
        }
        query.addFilterPredicate(MPMediaFormatPredicate(predicate))
    }

    /// The items that the options name, all without options.
    static func items(_ arguments: Arguments, of library: MPMediaLibrary) throws -> [MPMediaItem] {
        let query = MPMediaQuery(library: library)
        try restrict(query, arguments)
        return try query.items()
    }

    /// The playlist of a name.
    ///
    /// - Throws: `InspectionError` if there is none.
    static func playlist(_ name: String, of library: MPMediaLibrary) throws -> MPMediaPlaylist {
        let playlists = try library.playlists()
        guard let playlist = playlists.first(where: { $0.name == name }) else {
            throw InspectionError(
                .noObject, subject: name, cause: "there is no such playlist",
                hint: NameSuggestion(for: name, in: playlists.compactMap(\.name))?.question)
        }
        return playlist
    }

    /// A place in a list, from 1 as it is shown, as one from 0.
    static func place(_ word: String, _ arguments: Arguments) throws -> Int {
        guard let number = Int(word), number > 0 else {
            throw arguments.error("a place is a whole number from 1, not '\(PlaceWord.shown(word))'")
        }
        return number - 1
    }

    static let columns: [TextTable.Column] = [
        .init(title: "#", isNumber: true), .init(label: "title"), .init(label: "artist"),
        .init(label: "duration", isNumber: true),
    ]

    static func cells(_ place: Int, _ item: MPMediaItem?) -> [String] {
        [
            "\(place + 1)", item?.title ?? "-", item?.artist ?? "",
            LibraryListCommand.time(item?.playbackDuration ?? 0),
        ]
    }
}
