import CoreDataSQL
import SQLiteKit
import Synchronization

/// What all connections to a store share about its search index.
final class SearchSetup: Sendable {
    let layout: SearchLayout
    let storePath: String
    /// Whether the store is read as an immutable file, whose state cannot be determined from a log.
    let isImmutable: Bool
    /// Reports why the index is no longer used.
    private let note: @Sendable (any Error) -> Void
    private let fault = Mutex(false)

    init(
        _ layout: SearchLayout, storePath: String, isImmutable: Bool = false,
        note: @escaping @Sendable (any Error) -> Void
    ) {
        self.isImmutable = isImmutable
        self.layout = layout
        self.storePath = storePath
        self.note = note
    }

    /// Whether the index has failed; it is then not used until the store is opened again.
    var isFaulty: Bool { fault.withLock { $0 } }

    /// Stops using the index.
    func turnOff(because error: any Error) {
        let isFirst = fault.withLock { fault in
            defer { fault = true }
            return !fault
        }
        if isFirst { note(error) }
    }
}
