import CoreData
import Foundation
import LockKit

/// A library of the user's sound and film: a Core Data store with a row for each file of the folders that were scanned.
///
/// The name is that of Apple's framework. There the system has one library; here a program opens as many as it likes, and
/// ``setDefault(_:)`` says which one queries without a library ask. The user's files are read and never written. May be used on any thread.
///
/// Invariants:
/// 1. A row keeps its `persistentID` and its counts while its file is renamed, moved or tagged, and stays when the file vanishes.
/// 2. One scan at a time writes.
public final class MPMediaLibrary: Sendable {
    /// The store's file; nil for a library over a coordinator.
    public let storeURL: URL?
    let coordinator: NSPersistentStoreCoordinator
    let scanning = NSLock()
    let state = Locked(State())

    struct State {
        var lastModified = Date()
        /// How many have begun to generate notifications and not ended it.
        var observers = 0
    }

    /// Opens a library, or makes one.
    ///
    /// - Parameter storeURL: An SQLite store; made if it is not there, in a folder that is.
    /// - Throws: An error of Core Data if the store cannot be opened, or has another model.
    public init(storeURL: URL) throws {
        self.storeURL = storeURL
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: MediaModel.make())
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: nil)
    }

    /// A library over stores that a program has opened itself, with a model that has the entities of ``managedObjectModel``.
    ///
    /// - Throws: ``MediaLibraryError`` of code `notALibrary` if an entity or an attribute is missing.
    public init(coordinator: NSPersistentStoreCoordinator) throws {
        for (name, entity) in MediaModel.make().entitiesByName {
            let own = coordinator.managedObjectModel.entitiesByName[name]
            guard let own, Set(entity.propertiesByName.keys).isSubset(of: own.propertiesByName.keys) else {
                throw MediaLibraryError(
                    .notALibrary, "The model has no entity '\(name)' of a media library, or not all of its properties",
                    hint: "use the model of 'Examples/MediaLibrary', or MPMediaLibrary.managedObjectModel")
            }
        }
        self.coordinator = coordinator
        storeURL = coordinator.persistentStores.first?.url
    }

    /// A fresh copy of the model of libraries, for programs that open the store themselves.
    public static var managedObjectModel: NSManagedObjectModel { MediaModel.make() }

    private static let defaultLibrary = Locked<MPMediaLibrary?>(nil)

    /// The library that queries ask which name none.
    ///
    /// - Throws: ``MediaLibraryError`` of code `noLibrary` if none was set.
    public static func `default`() throws -> MPMediaLibrary {
        guard let library = defaultLibrary.withLock({ $0 }) else {
            throw MediaLibraryError(
                .noLibrary, "There is no default media library",
                hint: "open one and hand it to MPMediaLibrary.setDefault(_:)")
        }
        return library
    }

    /// Sets the library that queries ask which name none; nil for none.
    public static func setDefault(_ library: MPMediaLibrary?) { defaultLibrary.withLock { $0 = library } }

    /// When something in the library was last changed by this object.
    public var lastModifiedDate: Date { state.withLock { $0.lastModified } }

    /// Posted on the thread that has changed the library, between begin and end generating.
    public static let didChangeNotification = Notification.Name("MPMediaLibraryDidChangeNotification")

    /// Has notifications of changes posted until the same number of calls of ``endGeneratingLibraryChangeNotifications()``.
    public func beginGeneratingLibraryChangeNotifications() { state.withLock { $0.observers += 1 } }

    /// Ends what one call of ``beginGeneratingLibraryChangeNotifications()`` began.
    public func endGeneratingLibraryChangeNotifications() {
        state.withLock { $0.observers = max(0, $0.observers - 1) }
    }

    /// A context of its own, on a queue of its own.
    public func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        return context
    }

    func perform<Result>(_ block: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = newBackgroundContext()
        return try context.performAndWait { try block(context) }
    }

    /// Notes that something was changed.
    func changed() {
        let isHeard = state.withLock { state in
            state.lastModified = Date()
            return state.observers > 0
        }
        if isHeard { NotificationCenter.default.post(name: Self.didChangeNotification, object: self) }
    }
}
