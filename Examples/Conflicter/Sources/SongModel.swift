import CoreData

/// The model of the program, and the values of its only song.
enum SongModel {
    /// The properties, in the order in which they are shown.
    static let keys = ["title", "artist", "album", "genre"]
    /// The song as it is stored at first.
    static let stored = [
        "title": "Metal on Metal", "artist": "Kraftwerk", "album": "Minimum-Maximum", "genre": "Electronica",
    ]
    /// What the main context changes.
    static let mainChanges = ["title": "Europe Endless", "album": "Trans-Europe Express"]
    /// What a background context changes, and saves first.
    static let backgroundChanges = ["artist": "Bacalao", "album": "8-Bit Operators"]

    static func load() throws -> NSManagedObjectModel {
        guard let file = Bundle.module.url(forResource: "Conflicter", withExtension: "xcdatamodeld"),
            let model = NSManagedObjectModel(contentsOf: file)
        else { throw Complaint("the model Conflicter.xcdatamodeld cannot be read") }
        return model
    }
}

/// Something that the user of the program can set right.
struct Complaint: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
