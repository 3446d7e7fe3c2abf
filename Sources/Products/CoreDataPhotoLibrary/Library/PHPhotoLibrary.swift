import CoreData
import CoreDataPictures
import Foundation
import LockKit

/// A folder of pictures and films as a library, by the names of Apple's Photos.
///
/// What is known of the files is in a Core Data store. Files are read and never written: what a person changes, such as a favourite, is in
/// the store, and an asset that is deleted is left out while its file stays. ``scan()`` finds what is new, moved or gone.
///
/// Invariants:
/// 1. The store changes only in ``performChanges(_:)`` and ``scan()``, one at a time, each in one save.
/// 2. A fetch result and its assets are of one state of the store, however often it is changed afterwards.
///
/// A library can be used from any thread; its calls without `async` block the thread.
public final class PHPhotoLibrary: @unchecked Sendable {
    /// The folder of the files.
    public let folder: URL
    /// Who decides whether the library may be used.
    public let authorizer: any PhotoLibraryAuthorizer
    /// Makes thumbnails of the assets.
    public let thumbnails: ThumbnailMaker

    let coordinator: NSPersistentStoreCoordinator
    /// The context of changes.
    let writer: NSManagedObjectContext
    private let state = Locked(State())

    private struct State {
        /// The context that reads the present state; made again after each change.
        var reader: NSManagedObjectContext?
        var observers: [ObjectIdentifier: Observer] = [:]
    }

    private struct Observer { weak var object: (any PHPhotoLibraryChangeObserver)? }

    /// Opens the library of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files, with those within it.
    ///   - store: The SQLite file of what is known of them, made if it is missing; not within the folder, so that a folder of pictures
    ///     stays one.
    ///   - thumbnails: Makes thumbnails.
    ///   - authorizer: Who decides whether the library may be used.
    /// - Throws: ``PhotoLibraryError`` with `unavailable`.
    public init(
        folder: URL, store: URL, thumbnails: ThumbnailMaker = ThumbnailMaker(),
        authorizer: any PhotoLibraryAuthorizer = FileSystemAuthorizer()
    ) throws {
        (self.folder, self.thumbnails, self.authorizer) = (folder.standardizedFileURL, thumbnails, authorizer)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: PhotoModel.make())
        do {
            try FileManager.default.createDirectory(
                at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
            _ = try coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: store, options: nil)
        } catch {
            throw PhotoLibraryError(
                .unavailable, "the store of the photo library cannot be opened: \(error.localizedDescription)",
                hint: "see that '\(store.path)' can be written, or name another store")
        }
        writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        writer.persistentStoreCoordinator = coordinator
    }

    // MARK: Authorization

    /// Whether the library may be used.
    public func authorizationStatus(for level: PHAccessLevel = .readWrite) -> PHAuthorizationStatus {
        authorizer.status(for: level)
    }

    /// Asks whether the library may be used, unless it was decided.
    public func requestAuthorization(for level: PHAccessLevel = .readWrite) async -> PHAuthorizationStatus {
        await authorizer.request(level)
    }

    /// Whether assets can be read; what is fetched is empty otherwise.
    var mayRead: Bool {
        let status = authorizationStatus()
        return status == .authorized || status == .limited
    }

    func requireWriting() throws {
        guard mayRead else {
            throw PhotoLibraryError(
                .accessDenied, "the photo library may not be used",
                hint: "ask by requestAuthorization(for:), and explain what for")
        }
    }

    // MARK: Reading

    /// A context that reads the present state and keeps to it; shared by all that is fetched until the next change.
    func reader() throws -> NSManagedObjectContext {
        try state.withLock { state in
            if let reader = state.reader { return reader }
            let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            reader.persistentStoreCoordinator = coordinator
            try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
            state.reader = reader
            return reader
        }
    }

    /// What is fetched from now on is of the state after a change.
    func forgetReader() { state.withLock { $0.reader = nil } }

    // MARK: Observers

    /// Calls an observer after each change, on the thread that changed; it is referred to weakly.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        state.withLock { $0.observers[ObjectIdentifier(observer)] = Observer(object: observer) }
    }

    /// Does not call an observer any more.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        state.withLock { _ = $0.observers.removeValue(forKey: ObjectIdentifier(observer)) }
    }

    func notify(_ change: PHChange) {
        let observers = state.withLock { state in
            state.observers = state.observers.filter { $0.value.object != nil }
            return state.observers.values.compactMap(\.object)
        }
        for observer in observers { observer.photoLibraryDidChange(change) }
    }
}

/// An observer of the changes of a photo library.
public protocol PHPhotoLibraryChangeObserver: AnyObject, Sendable {
    /// The library has changed.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}
