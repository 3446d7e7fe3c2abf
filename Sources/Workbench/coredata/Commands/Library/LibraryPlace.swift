import CoreDataMedia
import CoreDataWorkbench
import Foundation

/// The store of a media library that a command uses.
enum LibraryPlace {
    static let option = Option(
        "store", value: "PATH",
        help: "The store of the library; $XDG_DATA_HOME/opencoredata/MediaLibrary.sqlite by default.")

    /// The store's path.
    static func url(_ arguments: Arguments) -> URL {
        if let path = arguments["store"] { return URL(fileURLWithPath: path) }
        let environment = ProcessInfo.processInfo.environment
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        let home = data ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share")
        return home.appendingPathComponent("opencoredata/MediaLibrary.sqlite")
    }

    /// Opens the library.
    ///
    /// - Parameter makes: Whether it is made if it is not there.
    /// - Throws: `InspectionError` if it is not there; an error of the store.
    static func open(_ arguments: Arguments, makes: Bool = false) throws -> MPMediaLibrary {
        let url = url(arguments)
        if makes {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } else if !FileManager.default.fileExists(atPath: url.path) {
            throw InspectionError(
                .unreadable, subject: url.path, cause: "there is no media library",
                hint: "make one by 'coredata library scan FOLDER'")
        }
        return try MPMediaLibrary(storeURL: url)
    }
}
