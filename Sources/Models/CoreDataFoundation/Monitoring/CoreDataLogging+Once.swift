import Synchronization

extension CoreDataLogging {
    /// More different messages than this are not distinguished any more, so that memory stays bounded.
    private static let mostRemembered = 1_000

    /// Guards the texts of messages that have been reported once.
    private static let remembered = Mutex<Set<String>>([])

    /// Reports a message unless one of its text has been; true where it is new.
    @discardableResult
    package static func reportOnce(_ level: Level, _ text: String, metadata: [String: String] = [:]) -> Bool {
        let isNew = remembered.withLock { texts in texts.count < mostRemembered && texts.insert(text).inserted }
        if isNew { report(level, text, metadata: metadata) }
        return isNew
    }
}
