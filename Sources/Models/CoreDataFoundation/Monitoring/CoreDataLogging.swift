import Synchronization

/// The destination of the library's messages: warnings, errors, and output that launch arguments request, such as SQL.
///
/// Without a handler each message is a line on standard error. A handler gets every message instead:
///
/// ```swift
/// CoreDataLogging.handler = { message in
///     guard message.level >= .warning else { return }
///     FileHandle.standardError.write(Data("shop: \(message.text)\n".utf8))
/// }
/// ```
///
/// One handler serves the process. May be used from any thread. This is not in Apple's framework, which writes to the
/// system's log.
public enum CoreDataLogging {
    /// The severity of a message; errors are the greatest.
    public enum Level: Int, Sendable, CaseIterable, Comparable {
        /// What a launch argument asks for: statements of SQL, the steps of migrations.
        case debug
        /// Something that works but is probably a mistake, or that will cease to work.
        case warning
        /// Something that failed where no error can be thrown.
        case error

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// A message of the library. It contains no value of an attribute, unless `-com.apple.CoreData.SQLDebug 3` requests
    /// values.
    public struct Message: Sendable, CustomStringConvertible {
        /// The severity of the message.
        public let level: Level
        /// The text without the level.
        public let text: String
        /// What the message is about, by the keys of ``MetadataKey``; empty for most messages.
        public let metadata: [String: String]
        /// What the line on standard error begins with.
        private let prefix: String

        package init(_ level: Level, _ text: String, metadata: [String: String] = [:], prefix: String? = nil) {
            self.level = level
            self.text = text
            self.metadata = metadata
            self.prefix = prefix ?? "CoreData: \(level): "
        }

        /// The line as it stands on standard error, without its end.
        public var description: String { prefix + text }
    }

    /// The keys of messages' metadata.
    public enum MetadataKey {
        /// The kind of launch argument that requested the message: `sql` or `migration`.
        public static let category = "category"
        /// The path of a store's file, or the URL of a store on a server without its password.
        public static let store = "store"
        /// The path of a file of a model.
        public static let model = "model"
        /// The name of an entity.
        public static let entity = "entity"
    }

    /// Receives a message on the thread that reports it; must not read or write stores, since that thread may be using
    /// one.
    public typealias Handler = @Sendable (Message) -> Void

    /// Receives all messages of the process. If it is nil, which is the default, they are written to standard error.
    public static var handler: Handler? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Writes a message to standard error as the library does without a handler, for handlers that do more than that.
    ///
    /// Nothing happens where standard error is closed or full.
    public static func writeToStandardError(_ message: Message) {
        // The form of `write` that does not throw stops the program instead.
        try? FileHandle.standardError.write(contentsOf: Data((message.description + "\n").utf8))
    }

    /// Guards the handler; unlocked while the handler runs.
    private static let current = Mutex<Handler?>(nil)

    /// Reports a message of the library.
    ///
    /// `prefix` is what its line on standard error begins with: `CoreData: warning: ` by the level if it is nil.
    package static func report(
        _ level: Level, _ text: String, metadata: [String: String] = [:], prefix: String? = nil
    ) {
        let message = Message(level, text, metadata: metadata, prefix: prefix)
        (handler ?? writeToStandardError)(message)
    }
}
