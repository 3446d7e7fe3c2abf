/// The entries of a service's TXT record, in their order: keys with values, or keys alone (RFC 6763, section 6).
///
/// Invariants:
/// 1. Every entry has at most 255 bytes, its key and the equals sign included.
/// 2. Keys are printable ASCII without `=`, not empty, and differ from each other in more than case.
/// 3. The record as DNS has it has at most `maximumBytes`.
package struct TextRecord: Sendable, Equatable {
    /// One entry; a value of nil is a key without an equals sign.
    package struct Entry: Sendable, Equatable {
        package let key: String
        package let value: [UInt8]?

        package init(_ key: String, _ value: [UInt8]?) { (self.key, self.value) = (key, value) }

        fileprivate var bytes: [UInt8] { Array(key.utf8) + (value.map { [UInt8(ascii: "=")] + $0 } ?? []) }
    }

    /// The most bytes of an entry.
    package static let maximumEntryBytes = 255
    /// The most characters of a key that other programs are sure to read.
    package static let recommendedKeyLength = 9
    /// The most bytes of a record: with its names it has to fit into a message of multicast DNS, 9,000 bytes.
    package static let maximumBytes = 8_000

    package let entries: [Entry]

    /// - Throws: `DiscoveryError` with the entry that breaks a rule.
    package init(_ entries: [Entry]) throws(DiscoveryError) {
        var keys: Set<String> = []
        var size = 0
        for entry in entries {
            try Self.check(entry)
            guard keys.insert(entry.key.lowercased()).inserted else {
                throw Self.error("the key '\(entry.key)' occurs twice", "keys are compared without regard to case")
            }
            size += 1 + entry.bytes.count
        }
        guard size <= Self.maximumBytes else {
            throw Self.error(
                "the entries have \(size) bytes together", "send at most \(Self.maximumBytes), better fewer than 1,300")
        }
        self.entries = entries
    }

    private init(unchecked entries: [Entry]) { self.entries = entries }

    /// A record without entries.
    package static let empty = TextRecord(unchecked: [])

    /// Reads a record as it came from the network. What is malformed is left out: entries that reach beyond the end,
    /// without a key or with one that is not ASCII, and all but the first of one key.
    package init(received bytes: some Collection<UInt8>) {
        var entries: [Entry] = []
        var keys: Set<String> = []
        var rest = bytes.prefix(Int(UInt16.max))[...]
        while let length = rest.popFirst() {
            guard rest.count >= Int(length) else { break }
            let text = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            let key = text.prefix { $0 != UInt8(ascii: "=") }
            let name = String(decoding: key, as: UTF8.self)
            guard !key.isEmpty, key.allSatisfy(Self.isKeyByte), keys.insert(name.lowercased()).inserted else {
                continue
            }
            entries.append(Entry(name, key.count == text.count ? nil : Array(text.dropFirst(key.count + 1))))
        }
        self.entries = entries
    }

    /// Reads a record that a program made.
    ///
    /// - Throws: `DiscoveryError` if anything in it is malformed.
    package init(strict bytes: some Collection<UInt8>) throws(DiscoveryError) {
        let record = TextRecord(received: bytes)
        guard record.bytes.elementsEqual(bytes) else {
            throw Self.error("the TXT record is malformed", "make it with a function for that")
        }
        self = try TextRecord(record.entries)
    }

    /// The record as DNS has it: entries, each behind a byte with its length.
    package var bytes: [UInt8] {
        entries.flatMap { entry in
            let bytes = entry.bytes
            return [UInt8(truncatingIfNeeded: bytes.count)] + bytes
        }
    }

    /// The value of a key, compared without regard to case; nil if there is no such key, or it has no value.
    package func value(of key: String) -> [UInt8]? {
        entries.first { $0.key.lowercased() == key.lowercased() }?.value
    }

    /// Keys that are longer than other programs are sure to read.
    package var longKeys: [String] { entries.map(\.key).filter { $0.utf8.count > Self.recommendedKeyLength } }

    private static func check(_ entry: Entry) throws(DiscoveryError) {
        guard !entry.key.isEmpty, entry.key.utf8.allSatisfy(isKeyByte) else {
            throw error(
                "'\(ServiceName.escaped(entry.key))' cannot be a key of a TXT record",
                "keys are characters of ASCII without =, best not more than \(recommendedKeyLength)")
        }
        let size = entry.bytes.count
        guard size <= maximumEntryBytes else {
            throw error(
                "the entry '\(entry.key)' has \(size) bytes with its key and the equals sign",
                "an entry may have \(maximumEntryBytes)")
        }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "=") }

    private static func error(_ reason: String, _ hint: String) -> DiscoveryError {
        DiscoveryError(.invalidText, reason, hint: hint)
    }
}
