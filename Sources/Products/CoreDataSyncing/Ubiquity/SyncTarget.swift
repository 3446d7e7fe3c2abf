import CoreDataGraph
import CoreDataStore
import Foundation

/// Where the devices share what a store's options name.
struct SyncTarget {
    let folder: URL
    /// The account to which the folder belongs; nil for a folder that the program names wherever it lies.
    let account: String?

    var transport: FolderTransport { FolderTransport(folder) }

    /// Nil for options without a name, and where the person has no account in which the folder lies.
    ///
    /// - Throws: `NSPersistentStoreOpenError` for options of a wrong type.
    init?(_ options: [AnyHashable: Any]) throws {
        guard let given = options[NSPersistentStoreUbiquitousContentNameKey] else { return nil }
        guard let name = given as? String, !name.isEmpty, !name.contains("/"), !name.hasPrefix("."),
            !name.contains("\0")
        else {
            throw Self.wrong(NSPersistentStoreUbiquitousContentNameKey, "a name without '/' that begins with no '.'")
        }
        let identifier = options[NSPersistentStoreUbiquitousContainerIdentifierKey] as? String
        let container = FileManager.default.url(forUbiquityContainerIdentifier: identifier)
        let place: URL
        switch options[NSPersistentStoreUbiquitousContentURLKey] {
        case nil:
            guard let container else { return nil }
            place = container.appendingPathComponent("CoreData/\(name)", isDirectory: true)
        case let url as URL where url.isFileURL: place = url.appendingPathComponent(name, isDirectory: true)
        case let path as String where path.hasPrefix("/"):
            place = URL(fileURLWithPath: path, isDirectory: true).appendingPathComponent(name, isDirectory: true)
        case let path as String:
            guard !path.split(separator: "/").contains("..") else {
                throw Self.wrong(NSPersistentStoreUbiquitousContentURLKey, "a path without '..'")
            }
            guard let container else { return nil }
            place = container.appendingPathComponent("\(path)/\(name)", isDirectory: true)
        default: throw Self.wrong(NSPersistentStoreUbiquitousContentURLKey, "the URL of a folder, or a path")
        }
        folder = place
        let shared = SyncAccount.folder.map { $0.standardizedFileURL.path + "/" }
        let isShared = shared.map(place.standardizedFileURL.path.hasPrefix) ?? false
        account = isShared ? SyncAccount.identifier : nil
    }

    private static func wrong(_ key: String, _ form: String) -> NSError {
        CoreDataError.make(NSPersistentStoreOpenError, "The store option '\(key)' must be \(form).")
    }
}
