import Synchronization

extension CoreDataLogging {
    /// The largest number of texts that are remembered, so that memory stays bounded; after them new texts are not
    /// reported.
    private static let mostRemembered = 1_000

    /// Guards the texts of messages that have been reported once.
    private static let remembered = Mutex<Set<String>>([])

    /// Reports a message unless one with the same text was reported before; returns whether it was reported.
    @discardableResult
    package static func reportOnce(_ level: Level, _ text: String, metadata: [String: String] = [:]) -> Bool {
        let isNew = remembered.withLock { texts in texts.count < mostRemembered && texts.insert(text).inserted }
        if isNew { report(level, text, metadata: metadata) }
        return isNew
    }
}
