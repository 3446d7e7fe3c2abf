import CoreDataStore

/// A position in the history of one or several stores: the number of a transaction for each store, by its identifier.
///
/// A reader that has the token has not seen the transactions committed after it. A token can be archived, and is equal
/// for all coordinators with the same stores.
///
/// ```swift
/// let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
/// try data.write(to: url, options: .atomic)
///
/// let stored = try Data(contentsOf: url)
/// let last = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: stored)
/// let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: last))
/// print((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? [])
/// ```
public final class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The numbers of transactions by the identifiers of their stores.
    package let numbers: [String: Int64]

    package init(_ numbers: [String: Int64]) { self.numbers = numbers }

    /// Always true, since archives of tokens name no classes of their contents.
    public static var supportsSecureCoding: Bool { true }

    /// Reads a token from an archive; nil if its bytes are truncated, changed, or not from this library.
    ///
    /// The archive format of Apple's framework is not public, so its tokens cannot be decoded here.
    public required init?(coder: NSCoder) {
        let bytes = coder.withDecodedUnsafeBufferPointer(forKey: HistoryTokenArchive.key) { $0.map { Array($0) } }
        guard let bytes, let numbers = HistoryTokenArchive.numbers(in: bytes) else { return nil }
        self.numbers = numbers
    }

    /// Writes the token into an archive.
    public func encode(with coder: NSCoder) {
        let bytes = HistoryTokenArchive.bytes(of: numbers)
        coder.encodeBytes(bytes, length: bytes.count, forKey: HistoryTokenArchive.key)
    }

    /// The token itself, which never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Tokens are equal that name the same transactions of the same stores.
    override public func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryToken else { return false }
        return other === self || other.numbers == numbers
    }

    /// Equal tokens have equal hashes.
    override public var hash: Int { numbers.hashValue }

    /// The text for messages and logs.
    override public var description: String {
        let lines = numbers.sorted { $0.key < $1.key }.map { "    \"\($0.key)\" = \($0.value);\n" }
        return "<NSPersistentHistoryToken - {\n\(lines.joined())}>"
    }
}
