import CoreDataStore
import Dispatch

extension NSPersistentStoreCoordinator {
    /// How long in seconds closing the stores may take after the limit for the contexts.
    private static let grace = 5.0

    /// Whether ``shutDown(within:)`` has closed the stores, or is closing them.
    public var isShutDown: Bool { shutdown.isEnded }

    /// Finishes the queued work of contexts, and closes the stores; for the shutdown of a server.
    ///
    /// 1. Refuses new saves, stores and batch requests with `NSPersistentStoreOperationError`. Blocks that are already
    ///    on the queues of contexts can still save, and so can code that they call and wait for.
    /// 2. Waits for those blocks, of child contexts before their parents, at most for `limit`.
    /// 3. Refuses fetches too.
    /// 4. For each store, writes the write-ahead log back to the file, closes its connections, and removes it from the
    ///    coordinator; interrupts a read that is still running after a short time.
    ///
    /// Does not wait for contexts of the main queue, since the main queue may not run any more: save them before.
    /// Unsaved changes are lost, as when a context is deallocated. Further calls wait for the first one and have its
    /// outcome. Contexts and objects cannot be used afterwards.
    /// - Throws: `NSPersistentStoreTimeoutError` if blocks did not end in time, with the names of their contexts, or if
    ///   a store could not be closed in time; otherwise the error of a store that could not write its log back. The
    ///   stores are closed nevertheless, and no later save succeeds.
    public func shutDown(within limit: Duration = .seconds(10)) async throws {
        let work = shutdown.work {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // The work waits for contexts and stores, and must not block the threads of other tasks.
                DispatchQueue(label: "CoreData.shutdown").async {
                    continuation.resume(with: Result { try self.finishAndClose(within: limit) })
                }
            }
        }
        try await work.value
    }

    /// Throws for a save of a context, unless it is part of a block that was queued when shutting down began.
    func requireSaving(by context: NSManagedObjectContext) throws {
        try shutdown.requireSaving(
            by: Array(sequence(first: context, next: \.parent)) + NSManagedObjectContext.enclosing)
    }

    private func finishAndClose(within limit: Duration) throws {
        let end = DispatchTime.now() + max(limit, .zero) / .seconds(1)
        drainContexts(until: end)
        let unfinished = shutdown.end().compactMap { $0 as? NSManagedObjectContext }
            .filter { $0.concurrencyType != .mainQueueConcurrencyType }
        let closing = StoreClosing()
        closing.run(on: self)
        let isClosed = closing.wait(until: max(end, .now()) + Self.grace)
        if !unfinished.isEmpty { throw Self.unfinished(unfinished) }
        guard isClosed else { throw Self.unclosed() }
        if let error = closing.error { throw error }
    }

    /// Waits for the blocks on the queues of contexts, first of children, which save into their parents.
    private func drainContexts(until end: DispatchTime) {
        var generations = [contexts.members]
        while let last = generations.last, !last.isEmpty { generations.append(last.flatMap(\.family.members)) }
        shutdown.beginDraining(generations.flatMap(\.self))
        for generation in generations.reversed() {
            let group = DispatchGroup()
            for context in generation where context.concurrencyType != .mainQueueConcurrencyType {
                group.enter()
                context.queue.async { [shutdown] in
                    shutdown.finish(context)
                    group.leave()
                }
            }
            _ = group.wait(timeout: end)
        }
    }

    private static func unfinished(_ contexts: [NSManagedObjectContext]) -> NSError {
        let names = contexts.map { $0.name.map { "'\($0)'" } ?? "one without a name" }.sorted()
        return CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "\(names.count) contexts had blocks that did not end before the stores were closed: "
                + "\(names.prefix(10).joined(separator: ", ")).",
            hint: "Give shutDown(within:) more time, or have long work look whether it is to end.")
    }

    private static func unclosed() -> NSError {
        CoreDataError.make(
            NSPersistentStoreTimeoutError, "A store is still in use and could not be closed in time.",
            hint: "See whether its disk or server works.")
    }
}

/// Closes the stores of a coordinator on a separate queue.
private final class StoreClosing: @unchecked Sendable {
    private let group = DispatchGroup()
    /// The first error; read after the closing has finished.
    private(set) var error: (any Error)?

    func run(on coordinator: NSPersistentStoreCoordinator) {
        DispatchQueue(label: "CoreData.shutdown.closing").async(group: group) { [self] in
            for store in coordinator.persistentStores {
                attempt { try store.serialized { try store.objects?.checkpointing?.checkpoint() } }
                attempt { try coordinator.remove(store) }
            }
        }
    }

    /// Waits until the closing has finished; returns false if it has not by `end`.
    func wait(until end: DispatchTime) -> Bool { group.wait(timeout: end) == .success }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { self.error = self.error ?? error }
    }
}
