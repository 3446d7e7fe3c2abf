import CoreDataGraph
import CoreDataStore
import Foundation

/// A store that takes part in sync by its options, from its opening until this is released.
///
/// What other devices changed is posted as Apple's framework posts it. While the folder cannot be reached, and when the account changes, the
/// store is used as it is.
final class StoreInStep: Sendable {
    /// The time between two attempts to begin, in seconds.
    private static let pause = 5.0

    private let session: SyncSession
    private let observation: Observation

    /// What ends with the store.
    private final class Observation: @unchecked Sendable {
        /// Set once, before any other thread has it.
        var token: (any NSObjectProtocol)?
    }

    /// - Throws: `SyncError` for a store that cannot take part.
    init(_ store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator, _ target: SyncTarget) throws {
        var options = SyncOptions()
        options.didImport = { [weak coordinator] changes in
            guard let coordinator else { return }
            NotificationCenter.default.post(
                name: .NSPersistentStoreDidImportUbiquitousContentChanges, object: coordinator,
                userInfo: [
                    NSInsertedObjectsKey: Set(changes.inserted), NSUpdatedObjectsKey: Set(changes.updated),
                    NSDeletedObjectsKey: Set(changes.deleted),
                ])
        }
        try? FileManager.default.createDirectory(at: target.folder, withIntermediateDirectories: true)
        let session = try SyncSession(store, over: target.transport, options: options)
        self.session = session
        observation = Observation()
        let account = target.account
        observation.token = NotificationCenter.default.addObserver(
            forName: .NSUbiquityIdentityDidChange, object: nil, queue: nil
        ) { _ in
            // The data of one account are not sent to another: the program adds the store again.
            if account != nil, SyncAccount.identifier != account { session.stop() }
        }
        begin(account, store, coordinator)
    }

    deinit {
        if let token = observation.token { NotificationCenter.default.removeObserver(token) }
        session.stop()
    }

    private func begin(_ account: String?, _ store: NSPersistentStore, _ coordinator: NSPersistentStoreCoordinator) {
        Task.detached { [weak self, weak store, weak coordinator] in
            while let session = self?.session {
                if account != nil, SyncAccount.identifier != account { return }
                do {
                    let isNew = try await !session.hasJoined()
                    if isNew { try await session.join() }
                    try await session.exchange()
                    guard self != nil else { return }
                    session.start()
                    guard isNew, let store, let coordinator else { return }
                    let transition = NSPersistentStoreUbiquitousTransitionType.initialImportCompleted
                    NotificationCenter.default.post(
                        name: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator,
                        userInfo: [
                            NSAddedPersistentStoresKey: [store],
                            NSPersistentStoreUbiquitousTransitionTypeKey: NSNumber(value: transition.rawValue),
                        ])
                    return
                } catch {
                    // The status of the store has the error.
                    try? await Task.sleep(for: .seconds(Self.pause))
                }
            }
        }
    }
}
