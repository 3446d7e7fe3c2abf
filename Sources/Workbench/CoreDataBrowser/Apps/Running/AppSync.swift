import CoreData
import CoreDataSyncing

/// How an application's store takes part in sync, as `Application.plist` says under `sync`.
///
/// It does while the user has an account (`SyncAccount`); without one the store is a local one, and what it has is sent once there is one.
struct AppSync {
    /// The name that the store has among the devices.
    let name: String
    /// The identifier of the container in the account's folder; nil for the one of the program.
    let container: String?
    /// The folder in the container that travels; nil for `CoreData`.
    let folder: String?

    /// Nil, with a problem noted, for a dictionary without a name that folders can have.
    init?(_ node: ListNode) {
        guard let name = node.string("name"), Self.isPlain(name) else {
            node.note(
                "the store is not synchronized: a name without '/' that begins with no '.' is expected", at: "name")
            return nil
        }
        self.name = name
        container = node.string("container")
        let folder = node.string("folder")
        if let folder,
            !folder.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ Self.isPlain(String($0)) })
        {
            node.note("a path in the container is expected, without '..'; 'CoreData' is taken", at: "folder")
            self.folder = nil
        } else {
            self.folder = folder
        }
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && !name.contains("/") && !name.contains("\0")
    }

    /// The options with which the store is opened.
    var options: [String: Any] {
        var options: [String: Any] = [NSPersistentStoreUbiquitousContentNameKey: name]
        options[NSPersistentStoreUbiquitousContainerIdentifierKey] = container
        options[NSPersistentStoreUbiquitousContentURLKey] = folder
        return options
    }
}
