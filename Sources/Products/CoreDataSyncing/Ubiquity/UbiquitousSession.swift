import CoreDataGraph
import CoreDataStore
import Foundation

/// The session of a store that takes part in sync by its options, from the store's opening until this is released.
///
/// What other devices changed is posted as Apple's framework posts it. While the folder cannot be reached, and when the account changes, the
/// store is used as it is.
final class UbiquitousSession: Sendable {
    /// The seconds between two attempts to begin, and between two looks at whether a new store has the state of the others.
    private static let (pause, statePause) = (5.0, 0.5)

    /// The errors that another attempt would have as well.
    private static let lasting: Set<SyncError.Code> = [.unsuitableStore, .model, .damagedState]

    let session: SyncSession
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
            var isNew = false
            while let session = self?.session {
                if account != nil, SyncAccount.identifier != account { return }
                do {
                    if try await !session.hasJoined() {
                        isNew = true
                        try await session.join()
                    }
                    try await session.exchange()
                    break
                } catch let error as SyncError where Self.lasting.contains(error.code) {
                    // The store is used as it is.
                    return
                } catch {
                    try? await Task.sleep(for: .seconds(Self.pause))
                }
            }
            guard let session = self?.session else { return }
            session.start()
            // The account may have changed during the exchange.
            if account != nil, SyncAccount.identifier != account { return session.stop() }
            guard isNew else { return }
            while let session = self?.session, (try? await session.status().isWaitingForState) != false {
                try? await Task.sleep(for: .seconds(Self.statePause))
            }
            guard self != nil, let store, let coordinator else { return }
            let transition = NSPersistentStoreUbiquitousTransitionType.initialImportCompleted
            NotificationCenter.default.post(
                name: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator,
                userInfo: [
                    NSAddedPersistentStoresKey: [store],
                    NSPersistentStoreUbiquitousTransitionTypeKey: NSNumber(value: transition.rawValue),
                ])
        }
    }
}
